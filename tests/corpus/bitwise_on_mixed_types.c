// `&`, `|`, `^` and `~` convert their operands as arithmetic does.
// why: a negative `int` is extended to a mask of ones when its partner is `long`.
// expect: 123456789abcde00
// expect: 9abcde00
// expect: fffffffffffffff0
// expect: 123456789abcdeff
// expect: fffffff0 ffffff0f
// expect: 1
#include <stdio.h>

int main(void) {
    int mask = -256;
    unsigned unsigned_mask = -256;
    long value = 0x123456789abcdef0;
    unsigned char low = 0x0f;
    printf("%lx\n", value & mask);
    printf("%lx\n", value & unsigned_mask);
    printf("%lx\n", value | mask);
    printf("%lx\n", value ^ low);
    printf("%x %x\n", ~low, low ^ mask);
    printf("%d\n", (mask & 1) == 0 | (mask & 256) == 256);
    return 0;
}
