// A chain of `else if`.
// why: all arms meet at one place, each with its own value.
// expect: -15 0 15 25 30 45
#include <stdio.h>

int f(int n) {
    int r;
    if (n < 0) r = -1;
    else if (n == 0) r = 0;
    else if (n < 10) r = 1;
    else if (n < 100) r = 2;
    else if (n < 1000) { r = 3; n = 0; }
    else r = 4;
    return r * 10 + n % 10;
}

int main(void) {
    printf("%d %d %d %d %d %d\n", f(-5), f(0), f(5), f(55), f(555), f(5555));
    return 0;
}
