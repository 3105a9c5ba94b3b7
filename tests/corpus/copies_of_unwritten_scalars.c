// Scalars in memory that were never written are copied by assignments.
// why: an assignment copies the record of written bytes, as memcpy does; only a use of the value is an error.
// expect: 3 7
#include <stdio.h>
#include <stdlib.h>

struct match {
    int start, length;
    char text[4];
    double *place;
};

int main(void) {
    struct match *old = malloc(sizeof *old), *new = malloc(sizeof *new);
    old->start = 3;
    new->start = old->start;
    new->length = old->length;
    new->place = old->place;
    for (int i = 0; i < 4; i++)
        new->text[i] = old->text[i];
    new->length = 7;
    printf("%d %d\n", new->start, new->length);
    free(old);
    free(new);
    return 0;
}
