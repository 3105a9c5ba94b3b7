// `int` with `unsigned`, `int` with `long`, `unsigned` with `long`.
// why: the common type decides division, remainder and right shift.
// expect: 2147483644 1
// expect: -3 -1
// expect: 9223372036854775804 1
// expect: 18446744073709551611
// expect: -14
// expect: -4 2147483644
// expect: 4294967289
// expect: -7
#include <stdio.h>

int main(void) {
    int i = -7;
    unsigned u = 2;
    long l = -7;
    unsigned long ul = 2;
    printf("%u %u\n", i / u, i % u);
    printf("%ld %ld\n", l / u, l % u);
    printf("%lu %lu\n", l / ul, l % ul);
    printf("%lu\n", i + ul);
    printf("%ld\n", u * l);
    printf("%d %u\n", i >> 1, (unsigned)i >> 1);
    printf("%u\n", 1 ? i : u);
    printf("%ld\n", 0 ? l : i);
    return 0;
}
