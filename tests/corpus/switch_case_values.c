// Negative cases, characters, constant expressions, and their conversion to the type of the value.
// why: case values are folded, and compared after promotion of the value.
// expect: 123446789100
// expect: 1230
// expect: 12345
#include <stdio.h>

int of_char(char c) {
    switch (c) {
        case 'a': return 1;
        case 'a' + 1: return 2;
        case '\n': return 3;
        case -1: return 4;
        case 255: return 5;
        case 1 << 4: return 6;
        case (int)64.5: return 7;
        case sizeof(int) * 8: return 8;
        case -128: return 9;
        case 3 > 2 ? 7 : 8: return 10;
        default: return 0;
    }
}

int of_unsigned(unsigned u) {
    switch (u) {
        case -1: return 1;
        case 0x80000000: return 2;
        case 0: return 3;
    }
    return 0;
}

int of_long(long l) {
    switch (l) {
        case 4294967296: return 1;
        case -4294967296: return 2;
        case 0: return 3;
        case 2147483648u: return 4;
        default: return 5;
    }
}

int main(void) {
    printf("%d%d%d%d%d", of_char('a'), of_char('b'), of_char('\n'), of_char(-1), of_char((char)255));
    printf("%d%d%d%d%d%d\n", of_char(16), of_char(64), of_char(32), of_char(128), of_char(7), of_char('z'));
    printf("%d%d%d%d\n", of_unsigned(4294967295u), of_unsigned(1u << 31), of_unsigned(0), of_unsigned(1));
    printf("%d%d%d%d%d\n", of_long(1l << 32), of_long(-(1l << 32)), of_long(0), of_long(1l << 31), of_long(1));
    return 0;
}
