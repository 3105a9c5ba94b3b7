// Operands narrower than `int` are promoted to `int` before the operation.
// why: 200 + 100 does not wrap in `unsigned char`, and `~` of an `unsigned char` is negative.
// expect: 300 20000 -100
// expect: -201 -200 0
// expect: 16384 -129 128
// expect: 65536 131070 -65534
// expect: -32769 -65536
// expect: 1 1
#include <stdio.h>

int main(void) {
    unsigned char a = 200, b = 100;
    signed char c = -128, d = -1;
    unsigned short e = 65535, f = 1;
    short g = -32768;
    printf("%d %d %d\n", a + b, a * b, a - b - b - b);
    printf("%d %d %d\n", ~a, -a, !a);
    printf("%d %d %d\n", c * c, c + d, -c);
    printf("%d %d %d\n", e + f, e << 1, f - e);
    printf("%d %d\n", g - 1, g * 2);
    printf("%d %d\n", a > c, (a ^ 0xff) == (unsigned char)~a);
    return 0;
}
