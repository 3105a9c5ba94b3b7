// Cases inside of `if`, blocks and both arms.
// why: a case label may stand in any statement inside of the `switch`, not only at its top.
// expect: 111100 100011
// expect: 100010 100010
// expect: 111000 111000
// expect: 110000 110000
#include <stdio.h>

int f(int n, int c) {
    int r = 0;
    switch (n) {
        case 0:
            if (c) {
                r += 1;
        case 1:
                r += 10;
            } else {
                r += 100;
                {
        case 2:
                    r += 1000;
                }
        default:
                r += 10000;
            }
            r += 100000;
    }
    return r;
}

int main(void) {
    for (int n = 0; n < 4; n++) printf("%d %d\n", f(n, 0), f(n, 1));
    return 0;
}
