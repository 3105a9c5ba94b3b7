// Several declarators in a declaration, some with initialisers that use earlier ones.
// why: each initialiser runs in its turn; the specifiers come in any order.
// expect: 1 2 10 20
// expect: 1 2 -3 4 5 255
// expect: -6 -7 -8 9 10 11
// expect: 0.333
#include <stdio.h>

int main(void) {
    int a = 1, b = a + 1, c, d = (c = 10, b * c);
    printf("%d %d %d %d\n", a, b, c, d);
    unsigned long int x = 1;
    long unsigned y = 2;
    int long z = -3;
    short int s = 4;
    unsigned short int us = 5;
    char unsigned uc = 255;
    signed int si = -6;
    signed sg = -7;
    long long ll = -8;
    unsigned long long ull = 9;
    const int k = 10;
    int const m = k + 1;
    printf("%lu %lu %ld %d %d %d\n", x, y, z, s, us, uc);
    printf("%d %d %lld %llu %d %d\n", si, sg, ll, ull, k, m);
    double r = 1, q = r / 3;
    printf("%.3f\n", q);
    return 0;
}
