// A variable declared inside of a `switch` before its cases.
// why: the declaration is in scope in each case, but its initialiser does not run.
// expect: 42 14 -97 4
#include <stdio.h>

int f(int n) {
    switch (n) {
        int t;
        case 1:
            t = 5;
            n += t;
        case 2:
            t = 7;
            n *= t;
            break;
        case 3: {
            int t = 100;
            n -= t;
        }
    }
    return n;
}

int main(void) {
    printf("%d %d %d %d\n", f(1), f(2), f(3), f(4));
    return 0;
}
