// Conditions that are false at once.
// why: `do` runs once all the same; a counter keeps its first value.
// expect: 9
// expect: 10
#include <stdio.h>

int main(void) {
    int i = 7;
    while (0) i = 1;
    for (; 0;) i = 2;
    for (i += 1; i < 0; i++) i = 3;
    do i++; while (0);
    printf("%d\n", i);
    while (i < 0) i++;
    do { i++; } while (i < 0);
    printf("%d\n", i);
    return 0;
}
