// Assignments to bit-fields as operands.
// why: the value of an assignment or an increment has the width of the bit-field, and is promoted as such: to `int`.
// expect: 1 1 1 1 1 1 0 1
// expect: -7 0 0 0 4
#include <stdio.h>

struct fields {
    unsigned a : 3, b : 5, whole : 32;
    int c : 4;
    unsigned long wide : 20;
} s;

int main(void) {
    int d = -1;
    printf("%d %d %d ", d < (s.b = 2), d < s.b++, d < ++s.b);
    printf("%d %d %d ", d < (s.b += 2), d < (s.wide = 2), d < (s.a = 7) + (s.wide -= 1));
    printf("%d %d\n", d < (s.whole = 2), (s.a -= 9) - 7 < 0);
    printf("%d %d %d %d %d\n", (s.c = 9), (s.b = 31) - 32 > 0, d < s.whole++, d < s.whole, (int)sizeof((s.b = 1) + 0));
    return 0;
}
