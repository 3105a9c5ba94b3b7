// Unsigned arithmetic is modulo 2 to the width.
// why: subtraction below zero, multiplication, negation, in 32 and 64 bits.
// expect: 4294967295 18446744073709551615
// expect: 4294967291 18446744073709551611
// expect: 1 1
// expect: 1 1
// expect: 0 0
// expect: 1705032704
// expect: 6000000000
#include <stdio.h>

int main(void) {
    unsigned u = 0;
    unsigned long ul = 0;
    printf("%u %lu\n", u - 1, ul - 1);
    printf("%u %lu\n", -5u, -5ul);
    u--;
    ul--;
    printf("%u %lu\n", u * u, ul * ul);
    printf("%u %lu\n", u + 2, ul + 2);
    printf("%u %lu\n", ~u, ~ul);
    printf("%u\n", 3000000000u + 3000000000u);
    printf("%lu\n", 3000000000u + 3000000000ul);
    return 0;
}
