// Every integer type converted to every other, by initialisation.
// why: widening extends by the sign of the source type, narrowing keeps the low bits.
// expect: 0 0 0 0 0 0 0 0
// expect: 0 0 0 0 0 0 0
// expect: 0 0 0 0
// expect: -1 -1 255 -1 65535 -1 4294967295 18446744073709551615
// expect: -1 255 -1 65535 -1 4294967295 -1
// expect: 18446744073709551615 18446744073709551615 18446744073709551615 4294967295
// expect: 127 127 127 127 127 127 127 127
// expect: 127 127 127 127 127 127 127
// expect: 127 127 127 127
// expect: -128 -128 128 128 128 128 128 128
// expect: -128 128 128 128 128 128 128
// expect: 18446744073709551488 128 128 128
// expect: -1 -1 255 255 255 255 255 255
// expect: -1 255 255 255 255 255 255
// expect: 18446744073709551615 255 255 255
// expect: 0 0 0 256 256 256 256 256
// expect: 0 0 256 256 256 256 256
// expect: 0 256 256 256
// expect: 0 0 0 -32768 32768 32768 32768 32768
// expect: 0 0 -32768 32768 32768 32768 32768
// expect: 0 18446744073709518848 32768 32768
// expect: -1 -1 255 -1 65535 65535 65535 65535
// expect: -1 255 -1 65535 65535 65535 65535
// expect: 18446744073709551615 18446744073709551615 65535 65535
// expect: 0 0 0 0 0 -2147483648 2147483648 2147483648
// expect: 0 0 0 0 -2147483648 2147483648 2147483648
// expect: 0 0 18446744071562067968 2147483648
// expect: 0 0 0 0 0 -2147483648 2147483648 18446744071562067968
// expect: 0 0 0 0 -2147483648 2147483648 -2147483648
// expect: 0 0 18446744071562067968 2147483648
// expect: -1 -1 255 -1 65535 -1 4294967295 4294967295
// expect: -1 255 -1 65535 -1 4294967295 4294967295
// expect: 18446744073709551615 18446744073709551615 18446744073709551615 4294967295
// expect: -16 -16 240 -8464 57072 -1698898192 2596069104 1311768467463790320
// expect: -16 240 -8464 57072 -1698898192 2596069104 1311768467463790320
// expect: 18446744073709551600 18446744073709543152 18446744072010653424 2596069104
#include <stdio.h>

void show(long from) {
    char c = from;
    signed char sc = from;
    unsigned char uc = from;
    short s = from;
    unsigned short us = from;
    int i = from;
    unsigned u = from;
    unsigned long ul = from;
    printf("%d %d %d %d %d %d %u %lu\n", c, sc, uc, s, us, i, u, ul);
    long from_c = c, from_uc = uc, from_s = s, from_us = us, from_i = i, from_u = u, from_ul = ul;
    printf("%ld %ld %ld %ld %ld %ld %ld\n", from_c, from_uc, from_s, from_us, from_i, from_u, from_ul);
    unsigned long wide_c = c, wide_s = s, wide_i = i, wide_u = u;
    printf("%lu %lu %lu %lu\n", wide_c, wide_s, wide_i, wide_u);
}

int main(void) {
    show(0);
    show(-1);
    show(127);
    show(128);
    show(255);
    show(256);
    show(32768);
    show(65535);
    show(2147483648);
    show(-2147483648);
    show(4294967295);
    show(0x123456789abcdef0);
    return 0;
}
