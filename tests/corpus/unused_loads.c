// Loads of objects that were never written, whose values are not used.
// why: C leaves the value open, but nothing depends on it.
// expect: 75
#include <stdio.h>
#include <stdlib.h>

int *last;

int replaced(int *value) {
    int **first = &last, *found = *first;
    int x = *value;
    x = 7;
    found = value;
    *first = found;
    return x;
}

int main(void) {
    int *pointer, **place = &pointer;
    {
        int *copy = *place;
        copy = malloc(sizeof *copy);
        *place = copy;
    }
    int result = replaced(pointer);
    (void)*pointer;
    *last = 5;
    result = result * 10 + *pointer;
    free(pointer);
    printf("%d\n", result);
    return 0;
}
