// Statements that no path reaches, loops among them.
// why: code after `return`, `break`, `goto` and endless loops, with cycles that have no entry.
// expect: 11 2 1
#include <stdio.h>

int f(int n) {
    int r = n;
    goto live;
    r = 1000;
    while (r > 0) {
        r--;
        if (r == 5) break;
    }
dead:
    r += 7;
    if (r < 100) goto dead;
live:
    for (;;) {
        r++;
        if (r > 10) break;
        continue;
        r = -1;
    }
    return r;
    r = -2;
    do {
        r++;
    } while (r < 5);
    return r;
}

int g(int n) {
    if (n) return 1;
    else return 2;
    return 3;
}

int main(void) {
    printf("%d %d %d\n", f(3), g(0), g(1));
    return 0;
    printf("never\n");
}
