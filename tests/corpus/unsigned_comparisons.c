// Comparisons after the usual arithmetic conversions.
// why: -1 is larger than 1u, but not larger than 1 as `long`; `unsigned char` compares as `int`.
// expect: 0 1 1 0
// expect: 1 0
// expect: 1 1
// expect: 0 1
// expect: 0 1
// expect: 0
#include <stdio.h>

int main(void) {
    int minus = -1;
    unsigned one = 1;
    long long_minus = -1;
    unsigned long long_one = 1;
    unsigned char byte = 255;
    unsigned short half = 65535;
    printf("%d %d %d %d\n", minus < one, minus > one, minus == 4294967295u, minus <= one);
    printf("%d %d\n", long_minus < one, minus < long_one);
    printf("%d %d\n", byte > minus, half > minus);
    printf("%d %d\n", minus == byte, (char)byte == minus);
    printf("%d %d\n", long_minus == one - 2, (int)long_minus == one - 2);
    printf("%d\n", -2147483647 - 1 < 2147483648u);
    return 0;
}
