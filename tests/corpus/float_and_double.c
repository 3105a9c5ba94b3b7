// `float` is rounded after each operation, and becomes `double` beside one.
// why: 16777216.0f + 1 stays the same; 0.1f is not 0.1.
// expect: 16777216.0 16777217.0
// expect: 0 1
// expect: 0.333333343267 0.333333333333 0.000000009934
// expect: 1.00000012 0.99999999999999989
// expect: inf
// expect: 2.25 -2.25
// expect: 0.0100000007078 0.010000000149
#include <stdio.h>

int main(void) {
    float f = 16777216.0f;
    f = f + 1;
    printf("%.1f %.1f\n", f, f + 1.0);
    float tenth = 0.1f;
    printf("%d %d\n", tenth == 0.1, tenth == 0.1f);
    float third = 1.0f / 3;
    double precise = 1.0 / 3;
    printf("%.12f %.12f %.12f\n", third, precise, third - precise);
    float sum = 0;
    for (int i = 0; i < 10; i++) sum += 0.1f;
    double double_sum = 0;
    for (int i = 0; i < 10; i++) double_sum += 0.1;
    printf("%.9g %.17g\n", sum, double_sum);
    f = 1e30f * 1e30f;
    printf("%f\n", f);
    f = 3;
    f /= 2;
    f *= f;
    printf("%g %g\n", f, -f);
    float product = 0.1f * 0.1f;
    printf("%.12g %.12g\n", product, 0.1f * 0.1);
    return 0;
}
