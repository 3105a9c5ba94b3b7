// Bit tricks: counting ones, reversing, the parity, the highest bit.
//
// why: every bitwise operator and shift, on constants wider than `int`.
// expect: 0 16 32
// expect: 80000000 1e6a2c48
// expect: 0 19
// expect: efcdab8967452301
// expect: 1
#include <stdio.h>

int ones(unsigned n) {
    int count = 0;
    for (; n; n &= n - 1) count++;
    return count;
}

unsigned reversed(unsigned n) {
    n = (n >> 1 & 0x55555555) | (n & 0x55555555) << 1;
    n = (n >> 2 & 0x33333333) | (n & 0x33333333) << 2;
    n = (n >> 4 & 0x0f0f0f0f) | (n & 0x0f0f0f0f) << 4;
    n = (n >> 8 & 0x00ff00ff) | (n & 0x00ff00ff) << 8;
    return n >> 16 | n << 16;
}

int highest(unsigned n) {
    int position = -1;
    while (n) {
        n >>= 1;
        ++position;
    }
    return position;
}

unsigned long swapped(unsigned long n) {
    unsigned long result = 0;
    for (int byte = 0; byte < 8; byte++) {
        result = result << 8 | (n >> 8 * byte & 0xff);
    }
    return result;
}

int main(void) {
    printf("%d %d %d\n", ones(0), ones(0xff00ff), ones(~0u));
    printf("%08x %08x\n", reversed(1), reversed(0x12345678));
    printf("%d %d\n", highest(1), highest(1000000));
    printf("%lx\n", swapped(0x0123456789abcdef));
    printf("%d\n", ones(0x7fu ^ 0x3cu) % 2);
    return 0;
}
