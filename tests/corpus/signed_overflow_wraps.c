// Signed arithmetic that overflows wraps around, as with -fwrapv.
// why: `int` and `long` at both ends of their ranges, `INT_MIN` negated among them.
// expect: -2147483648 2147483647 -2147483648
// expect: 1 0
// expect: -2 0
// expect: -9223372036854775808 9223372036854775807 -9223372036854775808
// expect: 1 0
// expect: -2147483648 2147483647
// expect: 1
#include <limits.h>
#include <stdio.h>

int main(void) {
    int max = INT_MAX, min = INT_MIN;
    printf("%d %d %d\n", max + 1, min - 1, -min);
    printf("%d %d\n", max * max, min * min);
    printf("%d %d\n", max * 2, 65536 * (max / max * 65536));
    long big = LONG_MAX, small = LONG_MIN;
    printf("%ld %ld %ld\n", big + 1, small - 1, -small);
    printf("%ld %ld\n", big * big, small * small);
    max++;
    min--;
    printf("%d %d\n", max, min);
    printf("%d\n", min == INT_MAX && max == INT_MIN);
    return 0;
}
