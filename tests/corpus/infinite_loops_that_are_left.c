// `for (;;)`, `while (1)` and `do … while (1)`, left by `break`, `return`, `goto` and `exit`.
// why: what follows them is reached by no condition.
// expect: 21 22 -2
// expect: leaving
// status: 3
#include <stdio.h>
#include <stdlib.h>

int by_return(int n) {
    for (;;) {
        if (n % 7 == 0) return n;
        n++;
    }
}

int by_goto(int n) {
    while (1) {
        do {
            n += 3;
            if (n > 20) goto out;
        } while (1);
    }
out:
    return n;
}

int by_break(int n) {
    while (1) {
        if (n-- < 0) break;
    }
    return n;
}

int main(void) {
    printf("%d %d %d\n", by_return(15), by_goto(1), by_break(5));
    for (int i = 0;; i++) {
        if (i == 3) {
            printf("leaving\n");
            exit(i);
        }
    }
}
