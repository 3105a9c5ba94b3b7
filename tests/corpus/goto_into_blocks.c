// Jumps into a block, into an arm of `if`, and from one arm to the other.
// why: declarations that are jumped over are in scope; their initialisers have not run.
// expect: 1008 1100 1000 1013 1113
#include <stdio.h>

int f(int n) {
    int r = 0;
    if (n == 0) goto in_block;
    if (n == 1) goto in_then;
    if (n == 2) goto in_else;
    {
        int t = 5;
        r += t;
    in_block:
        t = 7;
        r += t;
    }
    if (r > 1000) {
    in_then:
        r += 100;
        if (r < 150) goto in_else;
    } else {
        r += 1;
    in_else:
        r += 1000;
        if (n > 3) {
            n = 0;
            goto in_then;
        }
    }
    return r;
}

int main(void) {
    printf("%d %d %d %d %d\n", f(0), f(1), f(2), f(3), f(4));
    return 0;
}
