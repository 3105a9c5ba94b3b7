// `main` returns more than a status can hold.
// why: the system keeps the low eight bits.
// expect: 1458
// status: 178
#include <stdio.h>

int main(void) {
    int n = 2;
    while (n < 1000) n *= 3;
    printf("%d\n", n);
    return n;
}
