// The floating conversions of printf.
// why: `%f`, `%e` and `%g` with flags, width and precision, exact rounding included.
// expect: [3.141593] [3.14] [   3.142] [3.142   ] [0003.142]
// expect: [3.141593e+00] [3.14e+10] [3.141593E-10] [   3.142e+00]
// expect: [3.14159] [1e+10] [1e-05] [100000]
// expect: [1e+06] [100000] [1E-10] [1.23e+03]
// expect: [+3.141593] [ 3.141593] [-3.1]
// expect: [2.00000] [2.] [2]
// expect: [0.2] [0.3] [1.00]
// expect: [100000000000000000000.000000] [0.10000000000000000555]
// expect: [  2.2|1.23e+04|+0.5]
// expect: [1.100000] [1.1000000238] [1.1]
// expect: [3.141593] [1e+04] [0.0001]
#include <stdio.h>

int main(void) {
    double pi = 3.14159265358979;
    printf("[%f] [%.2f] [%8.3f] [%-8.3f] [%08.3f]\n", pi, pi, pi, pi, pi);
    printf("[%e] [%.2e] [%E] [%12.3e]\n", pi, pi * 1e10, pi / 1e10, pi);
    printf("[%g] [%g] [%g] [%g]\n", pi, 1e10, 1e-5, 100000.0);
    printf("[%g] [%g] [%G] [%.3g]\n", 1e6, 1e5, 1e-10, 1234.5);
    printf("[%+f] [% f] [%+.1f]\n", pi, pi, -pi);
    printf("[%#g] [%#.0f] [%.0f]\n", 2.0, 2.0, 2.0);
    printf("[%.1f] [%.1f] [%.2f]\n", 0.25, 0.35, 1.005);
    printf("[%f] [%.20f]\n", 1e20, 0.1);
    printf("[%5.1f|%-7.2e|%+g]\n", 2.25, 12345.678, 0.5);
    float f = 1.1f;
    printf("[%f] [%.10f] [%g]\n", f, f, f);
    printf("[%lf] [%.0e] [%g]\n", pi, 12345.0, 0.0001);
    return 0;
}
