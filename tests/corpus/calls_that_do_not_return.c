// Functions that are declared not to return, by one of their declarations or by another.
// why: what follows a call that does not return is dead; no value reaches the end of `checked`.
// expect: 5
// expect: giving up
// status: 3
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>

_Noreturn void die(int status) { exit(status); }

noreturn int fail(int status);

int checked(int x) {
    int y;
    if (x > 0)
        y = x;
    else
        fail(3);
    return y;
}

int positive(int x) {
    if (x > 0) return x;
    die(2);
}

int fail(int status) {
    printf("giving up\n");
    die(status);
}

int main(void) {
    printf("%d\n", checked(2) + positive(3));
    checked(0);
    printf("never\n");
}
