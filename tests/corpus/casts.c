// Explicit conversions between all kinds of types.
// why: a cast binds tighter than arithmetic, and truncates, wraps or rounds by the type it names.
// expect: -3 3 -3
// expect: 44 255
// expect: 4294967295 18446744073709551615
// expect: 4294967295 4294967295
// expect: 3.50 3.00
// expect: 4
// expect: 1 1
// expect: 0.100000001 16777216
// expect: -56
// expect: 255
// expect: done
// expect: -3
#include <stdbool.h>
#include <stdio.h>

int main(void) {
    double d = -3.99;
    printf("%d %d %ld\n", (int)d, (int)-d, (long)d);
    printf("%d %d\n", (char)300, (unsigned char)-1);
    printf("%u %lu\n", (unsigned)-1, (unsigned long)-1);
    printf("%lu %ld\n", (unsigned long)(unsigned)-1, (long)(unsigned)-1);
    printf("%.2f %.2f\n", (double)7 / 2, (double)(7 / 2));
    printf("%d\n", (int)2.9 + (int)2.9);
    printf("%d %d\n", (bool)0.1, (int)(bool)42);
    printf("%.9g %.9g\n", (float)0.1, (double)(float)16777217);
    printf("%d\n", (short)(char)(unsigned char)200);
    printf("%u\n", (unsigned)(unsigned char)(signed char)-1);
    (void)d;
    (void)printf("done\n");
    printf("%d\n", -(int)1.5 * (int)(1.5 * 2));
    return 0;
}
