// Integers of another size than the format requires.
// why: this is undefined behaviour, but usual: `%d` of a `sizeof`; x86-64 passes the low half of a register.
// expect: 4 8 1 7 5
// expect: 4294967293 4294967295 ffffffff 4294967295
// expect: AC 5 7
// expect:     3|1.50
#include <stdio.h>

int main(void) {
    char c = -1;
    int i = -3;
    long l = 0x100000005L;
    unsigned u = 0xffffffffu;
    unsigned long ul = 1ul << 40 | 7;
    printf("%d %d %u %x %d\n", sizeof i, sizeof(long), sizeof c, ul, l);
    printf("%ld %lu %lx %li\n", i, u, u, c);
    printf("%c%c %hhd %hd\n", 65L, ul + 60, l, ul);
    printf("%*d|%.*f\n", 5L, 3, 2L, 1.5);
    return 0;
}
