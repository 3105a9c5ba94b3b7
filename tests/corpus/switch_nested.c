// A `switch` in a `switch`, with equal case values in both.
// why: a case belongs to the innermost `switch` around it, and so does a `break`.
// expect: 1 1112 13 ;
// expect: 1000 1100 0 ;
// expect: -1 -1 -1 ;
#include <stdio.h>

int f(int a, int b) {
    int r = 0;
    switch (a) {
        case 0:
            switch (b) {
                case 0: return 1;
                case 1: r = 2; break;
                default: r = 3;
            }
            r += 10;
        case 1:
            switch (b) {
                case 1: r += 100;
                case 0: r += 1000;
            }
            break;
        default:
            r = -1;
    }
    return r;
}

int main(void) {
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) printf("%d ", f(a, b));
        printf(";\n");
    }
    return 0;
}
