// `main` returns what a call returns, deep inside of which the same `return` ran before.
// why: only the return of `main` itself is the program's end.
// expect: 3
// expect: 2
// expect: 1
// expect: 0
// status: 7
#include <stdio.h>

int rounds(int n);

int main(void) {
    return rounds(3);
}

int rounds(int n) {
    printf("%d\n", n);
    return n == 0 ? 7 : rounds(n - 1);
}
