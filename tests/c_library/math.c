#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

const double numbers[] = {0.0, -0.0, 1, -1, 0.5, -0.5, 0.49999999999999994, 1.5, 2.5, -2.5, 3, 7, -8.25, 1e10, -3e9,
    9.3e18, 4503599627370495.5, 1e300, -1e300, DBL_MAX, DBL_MIN, 1e-310, 5e-324, -5e-324, FLT_MAX, FLT_MIN, 1e-45,
    INFINITY, -INFINITY, NAN};
enum { COUNT = sizeof numbers / sizeof *numbers };

void round_off(double x) {
    float f = x, whole;
    double part;
    printf("%a %a %a %a ", rint(x), rintf(f), nearbyint(x), nearbyintf(f));
    printf("%ld %ld %lld %lld ", lround(x), lroundf(f), llround(x), llroundf(f));
    printf("%ld %ld %lld %lld ", lrint(x), lrintf(f), llrint(x), llrintf(f));
    printf("%a %a ", modf(x, &part), modff(f, &whole));
    printf("%a %a\n", part, whole);
}

void take_apart(double x) {
    float f = x;
    int e, n;
    printf("%a %a ", frexp(x, &e), frexpf(f, &n));
    printf("%d %d %d %d %a %a\n", e, n, ilogb(x), ilogbf(f), logb(x), logbf(f));
    for (int i = -2200; i <= 2200; i += 110)
        printf("%a %a ", ldexp(x, i), ldexpf(f, i / 10));
    printf("%a %a %a %a ", scalbn(x, INT_MIN), scalbnf(f, INT_MAX), scalbln(x, -1074), scalblnf(f, 20000000000));
    printf("%a %a\n", scalbn(x, -1023), scalbnf(f, -127));
}

void classify(double x) {
    float f = x;
    printf("%d %d %d %d ", isnan(x), isnan(f), isinf(x), isinf(f));
    printf("%d %d %d %d ", isfinite(x), isfinite(f), isnormal(x), isnormal(f));
    printf("%d %d %d %d\n", signbit(x) != 0, signbit(f) != 0, fpclassify(x), fpclassify(f));
}

void choose(double x, double y) {
    float f = x, g = y;
    printf("%a %a %a %a %a %a ", fmax(x, y), fmaxf(f, g), fmin(x, y), fminf(f, g), fdim(x, y), fdimf(f, g));
    printf("%d %d %d ", isgreater(x, y), isgreaterequal(f, g), isless(x, y));
    printf("%d %d %d ", islessequal(f, y), islessgreater(x, g), isunordered(x, y));
    printf("%a %a\n", nextafter(x, y), nextafterf(f, g));
}

void divide(double x, double y) {
    int n, m;
    float f = x, g = y;
    printf("%a %a ", remainder(x, y), remainderf(f, g));
    printf("%a %a ", remquo(x, y, &n), remquof(f, g, &m));
    if (y != 0 && isfinite(x) && !isnan(y))
        printf("%d", n);
    if (g != 0 && isfinite(f) && !isnan(g))
        printf(" %d", m);
    printf("\n");
}

double (*const functions[])(double) = {fabs, sqrt, floor, ceil, trunc, round, rint};
float (*const for_floats[])(float) = {fabsf, sqrtf, floorf, ceilf, truncf, roundf, rintf};
double (*const binary[])(double, double) = {copysign, fmod, remainder};
float (*const binary_for_floats[])(float, float) = {copysignf, fmodf, remainderf};

int main(void) {
    for (int i = 0; i < COUNT; i++) {
        round_off(numbers[i]);
        take_apart(numbers[i]);
        classify(numbers[i]);
        for (int j = 0; j < COUNT; j++) {
            choose(numbers[i], numbers[j]);
            divide(numbers[i], numbers[j]);
        }
    }
    printf("%a %a\n", nan(""), nanf("1"));
    double sum = 0;
    for (int i = 0; i < 7; i++)
        sum += functions[i](0.625) + for_floats[i](0.625f);
    for (int i = 0; i < 3; i++)
        sum += binary[i](0.625, 0.75) + binary_for_floats[i](0.625f, 0.75f);
    printf("%a %d\n", sum, FP_ILOGB0 == ilogb(0));
    return 0;
}
