// Operations on INT_MIN and LONG_MIN that do not trap.
// why: negation, absolute value, products and shifts at the edge.
// expect: -2147483648 -2147483648
// expect: 5 2147483647
// expect: -1073741824 -8 1
// expect: -2147483648 -9223372036854775808
// expect: 2147483648 2147483648
// expect: -1 1
// expect: 1 1
// expect: -4611686018427387904 -8
// expect: 2147483648 -2147483648
// expect: 1
// expect: -2147483648.0 -9223372036854775808.0
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int min = INT_MIN;
    long lmin = LONG_MIN;
    printf("%d %d\n", -min, abs(min));
    printf("%d %d\n", abs(-5), abs(min + 1));
    printf("%d %d %d\n", min / 2, min % 10, min / min);
    printf("%d %ld\n", min * -1, lmin * -1);
    printf("%ld %ld\n", min * -1l, -(long)min);
    printf("%d %u\n", min >> 31, (unsigned)min >> 31);
    printf("%d %d\n", min == -min, lmin == -lmin);
    printf("%ld %ld\n", lmin / 2, lmin % 10);
    printf("%u %d\n", -(unsigned)min, (int)(0u - min));
    printf("%d\n", min - INT_MAX);
    printf("%.1f %.1f\n", (double)min, (double)lmin);
    return 0;
}
