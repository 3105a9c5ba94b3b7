// Floating constants in every form.
// why: without digits before or after the point, with exponents, with suffixes, in hexadecimal.
// expect: 1.5 0.5 2 0
// expect: 1000 0.001 250 5
// expect: 1.5 3 100
// expect: 0.10000000000000001 0.10000000149011612
// expect: 16 0.75
// expect: 1 1
// expect: inf -inf
#include <stdio.h>

int main(void) {
    printf("%g %g %g %g\n", 1.5, .5, 2., 0.0);
    printf("%g %g %g %g\n", 1e3, 1E-3, 2.5e+2, .5e1);
    printf("%g %g %g\n", 1.5f, 3.F, 1e2f);
    printf("%.17g %.17g\n", 0.1, 0.1f);
    printf("%g %g\n", 0x1p4, 0x1.8p-1);
    printf("%d %d\n", 1e0 == 1, 1. == 1.0f);
    printf("%g %g\n", 1e308 * 10, -1e308 * 10);
    return 0;
}
