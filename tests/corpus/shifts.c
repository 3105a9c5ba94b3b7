// Shifts by constants and variables, of signed and unsigned values.
// why: the result has the type of the left operand after promotion; a negative value shifts in ones.
// expect: -4 -1
// expect: 1 134217728
// expect: 1099511627776 -1
// expect: 4080 15
// expect: 1 128 16384 2097152 268435456 -1073741824
// expect: 8 8796093022208
// expect: -1
#include <stdio.h>

int main(void) {
    int i = -16;
    unsigned u = 0x80000000u;
    long l = 1;
    unsigned char byte = 0xff;
    printf("%d %d\n", i >> 2, i >> 31);
    printf("%u %u\n", u >> 31, u >> 4);
    printf("%ld %ld\n", l << 40, l << 63 >> 63);
    printf("%d %d\n", byte << 4, byte >> 4);
    for (long count = 0; count < 32; count += 7) printf("%d ", 1 << count);
    printf("%d\n", 3 << 30);
    unsigned char narrow = 3;
    printf("%d %lu\n", 1 << narrow, 1ul << narrow << 40);
    printf("%d\n", (char)(byte << 1) >> 1);
    return 0;
}
