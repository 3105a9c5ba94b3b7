// A function whose paths all end in `exit`, or call it in an expression.
// why: what follows a call that does not return is dead.
// expect: leaving
#include <stdio.h>
#include <stdlib.h>

int leave(int status) {
    if (status > 100) exit(EXIT_FAILURE);
    printf("leaving\n");
    exit(EXIT_SUCCESS);
}

int main(void) {
    int n = 5;
    n > 3 && leave(n);
    printf("never\n");
    return n;
}
