// From integers to floating types and back.
// why: large integers are rounded to the nearest, ties to even, in one step to `float`.
// expect: 16777216.0
// expect: 16777220.0
// expect: 9007199254740992.0 9007199254740992
// expect: 18446744073709551616.0 18446744073709551616.0
// expect: 36028797018963968.0
// expect: 4294967295.0 4294967296.0 4294967295
// expect: 1000000000000000000 10000000000000000000
// expect: 65 -1
// expect: 97.5
#include <stdio.h>

int main(void) {
    int i = 16777217;
    float f = i;
    printf("%.1f\n", f);
    i = 16777219;
    f = i;
    printf("%.1f\n", f);
    long l = 9007199254740993;
    double d = l;
    printf("%.1f %ld\n", d, (long)d);
    unsigned long ul = 18446744073709551615ul;
    d = ul;
    f = ul;
    printf("%.1f %.1f\n", d, f);
    l = 36028797153181697;
    f = l;
    printf("%.1f\n", f);
    unsigned u = 4294967295u;
    d = u;
    f = u;
    printf("%.1f %.1f %u\n", d, f, (unsigned)d);
    d = 1e18;
    printf("%ld %lu\n", (long)d, (unsigned long)1e19);
    char c = 65.9;
    short s = -1.5;
    printf("%d %d\n", c, s);
    printf("%.1f\n", 'a' + 0.5);
    return 0;
}
