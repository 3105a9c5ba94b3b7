// Chains of copies through branches and loops.
// why: every variable ends as a copy of `n`: no parameter is needed for any.
// expect: 5 6 -7
#include <stdio.h>

int f(int n, int c) {
    int a = n, b = a, x, y;
    if (c) {
        x = a;
        y = b;
    } else {
        x = b;
        y = a;
    }
    while (c-- > 0) {
        int t = x;
        x = y;
        y = t;
        if (c % 2) x = n;
    }
    return x - y + n;
}

int main(void) {
    printf("%d %d %d\n", f(5, 0), f(6, 3), f(-7, 10));
    return 0;
}
