// A compound assignment computes in the promoted type and converts the result back.
// why: `c += 100` wraps in `char`, `c *= 2.5` goes through `double`, `u8 >>= 1` is no sign extension.
// expect: -56 100 -6 66
// expect: 44 96 48 207 4
// expect: -5536 -5535 96
// expect: 2147483647 2147483649
// expect: 2147483644 -2147483648 -134217728
#include <stdio.h>

int main(void) {
    char c = 100;
    c += 100;
    printf("%d ", c);
    c -= 100;
    printf("%d ", c);
    c *= 2.5;
    printf("%d ", c);
    c = 50;
    c /= 0.75;
    printf("%d\n", c);
    unsigned char u = 200;
    u += 100;
    printf("%d ", u);
    u <<= 3;
    printf("%d ", u);
    u >>= 1;
    printf("%d ", u);
    u ^= 0xfff;
    printf("%d ", u);
    u %= 7;
    printf("%d\n", u);
    short s = 30000;
    s += 30000;
    printf("%d ", s);
    s |= 0x10001;
    printf("%d ", s);
    s &= 70000;
    printf("%d\n", s);
    unsigned n = 10;
    n -= 11;
    n /= 2;
    printf("%u ", n);
    n *= -1;
    printf("%u\n", n);
    int i = -7;
    i /= 2u;
    printf("%d ", i);
    i += 1e3;
    printf("%d ", i);
    i >>= 4l;
    printf("%d\n", i);
    return 0;
}
