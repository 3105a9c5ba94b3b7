// Integer constants in every base and with every suffix.
// why: the type follows from the value, the base and the suffix.
// expect: 0 42 42 42
// expect: 255 255 15
// expect: 4000000000 4294967295 4294967295
// expect: 5000000000 5000000000 9223372036854775807
// expect: 1 2 3
// expect: 18446744073709551615 18446744073709551615
// expect: 1 1 1
// expect: 1 0
// expect: 7 8
// expect: 4 8 4
#include <stdio.h>

int main(void) {
    printf("%d %d %d %d\n", 0, 42, 052, 0x2A);
    printf("%d %d %d\n", 0xff, 0XFF, 00017);
    printf("%u %u %u\n", 4000000000u, 0xffffffff, 037777777777U);
    printf("%ld %ld %ld\n", 5000000000, 5000000000l, 0x7fffffffffffffffL);
    printf("%lu %lu %lu\n", 1ul, 2UL, 3lu);
    printf("%lu %lu\n", 0xffffffffffffffff, 18446744073709551615u);
    printf("%d %d %d\n", 2147483648 > 0, 0x80000000 > 0, -2147483648 < 0);
    printf("%d %d\n", 0xffffffff == -1, 4294967295 == -1);
    printf("%lld %llu\n", 7ll, 8ULL);
    printf("%lu %lu %lu\n", sizeof 2147483647, sizeof 2147483648, sizeof 0x80000000);
    return 0;
}
