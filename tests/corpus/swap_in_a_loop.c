// Two variables change places in each round.
// why: the swap problem: arguments are passed all at once, not one after the other.
// expect: 21 12 21 12 21 95
#include <stdio.h>

int main(void) {
    int a = 1, b = 2;
    for (int i = 0; i < 5; i++) {
        int t = a;
        a = b;
        b = t;
        printf("%d%d ", a, b);
    }
    unsigned x = 5, y = 9;
    x ^= y;
    y ^= x;
    x ^= y;
    printf("%u%u\n", x, y);
    return 0;
}
