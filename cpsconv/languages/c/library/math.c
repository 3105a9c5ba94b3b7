// The functions of <math.h> that are not operations, over those that are. All arithmetic is exact but for the last step.
// math_long_double.c includes this file for `long double`.

#include <float.h>
#include <limits.h>

unsigned long strlen(const char *);
char *strcpy(char *, const char *);
char *strcat(char *, const char *);
double strtod(const char *, char **);
float strtof(const char *, char **);

#ifndef LONG_DOUBLE
#define DIGITS DBL_MANT_DIG
#define EPSILON DBL_EPSILON
#define LEAST (DBL_MIN_EXP - 1) // the exponents of the least normal number and the largest one
#define MOST (DBL_MAX_EXP - 1)

// Pointers to the operations.

#define OPERATION_1(name)                                                                                              \
    double name(double x) { return __builtin_##name(x); }                                                              \
    float name##f(float x) { return __builtin_##name##f(x); }
#define OPERATION_2(name)                                                                                              \
    double name(double x, double y) { return __builtin_##name(x, y); }                                                 \
    float name##f(float x, float y) { return __builtin_##name##f(x, y); }
#endif

OPERATION_1(fabs) OPERATION_1(sqrt) OPERATION_1(cbrt)
OPERATION_1(floor) OPERATION_1(ceil) OPERATION_1(trunc) OPERATION_1(round)
OPERATION_1(sin) OPERATION_1(cos) OPERATION_1(tan) OPERATION_1(asin) OPERATION_1(acos) OPERATION_1(atan)
OPERATION_1(sinh) OPERATION_1(cosh) OPERATION_1(tanh) OPERATION_1(asinh) OPERATION_1(acosh) OPERATION_1(atanh)
OPERATION_1(exp) OPERATION_1(exp2) OPERATION_1(expm1)
OPERATION_1(log) OPERATION_1(log2) OPERATION_1(log10) OPERATION_1(log1p)
OPERATION_1(erf) OPERATION_1(erfc) OPERATION_1(tgamma) OPERATION_1(lgamma)
OPERATION_2(atan2) OPERATION_2(copysign) OPERATION_2(fmod) OPERATION_2(hypot) OPERATION_2(pow)

double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }

// Rounding. From 1 / EPSILON on, a number is integral; below, the sum with 1 / EPSILON is rounded to an integer.

double rint(double x)
{
    double shift = __builtin_copysign(1 / EPSILON, x);
    return __builtin_fabs(x) < 1 / EPSILON ? __builtin_copysign(x + shift - shift, x) : x;
}

double nearbyint(double x) { return rint(x); }

long lround(double x) { return __builtin_round(x); }
long long llround(double x) { return __builtin_round(x); }
long lrint(double x) { return rint(x); }
long long llrint(double x) { return rint(x); }

double modf(double x, double *whole)
{
    *whole = __builtin_trunc(x);
    return __builtin_copysign(__builtin_isinf(x) ? 0 : x - *whole, x);
}

// Powers of two.

static double power_of_two(int n)
{
    double power = 1, factor = n < 0 ? 0.5 : 2;
    for (unsigned rest = n < 0 ? -n : n; rest > 0; rest /= 2) {
        if (rest % 2)
            power *= factor;
        factor *= factor;
    }
    return power;
}

// The steps downwards leave a number normal, or so small that the result is 0.
double scalbn(double x, int n)
{
    for (; n > MOST && __builtin_isfinite(x) && x != 0; n -= MOST)
        x *= power_of_two(MOST);
    for (; n < LEAST && x != 0 && __builtin_isfinite(x); n -= LEAST + DIGITS)
        x *= power_of_two(LEAST + DIGITS);
    return __builtin_isfinite(x) && x != 0 ? x * power_of_two(n) : x;
}

double ldexp(double x, int n) { return scalbn(x, n); }
double scalbln(double x, long n) { return scalbn(x, n > 100000 ? 100000 : n < -100000 ? -100000 : n); }

int ilogb(double x)
{
    if (__builtin_isnan(x) || x == 0)
        return INT_MIN;
    if (__builtin_isinf(x))
        return INT_MAX;
    double rest = __builtin_fabs(x), power = power_of_two((MOST + 1) / 2);
    int exponent = 0;
    if (rest < power_of_two(LEAST)) {
        rest *= power_of_two(DIGITS);
        exponent = -DIGITS;
    }
    for (int step = (MOST + 1) / 2; step > 0; step /= 2) {
        if (rest >= power) {
            rest /= power;
            exponent += step;
        } else if (rest * power < 2) {
            rest *= power;
            exponent -= step;
        }
        power = __builtin_sqrt(power);
    }
    return exponent;
}

double logb(double x) { return x == 0 ? -__builtin_inf() : __builtin_isfinite(x) ? ilogb(x) : x * x; }

double frexp(double x, int *exponent)
{
    *exponent = __builtin_isfinite(x) && x != 0 ? ilogb(x) + 1 : 0;
    return scalbn(x, -*exponent);
}

// The next number in the direction of y. `least` is the exponent of the least normal number, and `digits` the number of
// bits of the fraction.
static double next(double x, double y, int least, int digits)
{
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return __builtin_copysign(power_of_two(-1) * power_of_two(least - digits + 1), y);
    if (__builtin_isinf(x))
        return __builtin_copysign((2 - power_of_two(-digits)) * power_of_two(1 - least), x);
    int exponent = ilogb(x);
    if ((x < y) != (x > 0) && exponent > least && __builtin_fabs(x) == power_of_two(exponent))
        exponent--;
    double step = scalbn(1, (exponent < least ? least : exponent) - digits);
    return __builtin_copysign(x < y ? x + step : x - step, x);
}

double nextafter(double x, double y) { return next(x, y, LEAST, DIGITS - 1); }

// The remainder of the division with the nearest quotient, the even one of two. The quotient is computed modulo 8,
// before it is rounded.
static double nearest_remainder(double x, double y, int *quotient)
{
    double rest = __builtin_fabs(x), divisor = __builtin_fabs(y);
    int count = 0;
    *quotient = 0;
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (__builtin_isinf(x) || y == 0)
        return -__builtin_nan("");
    if (__builtin_isinf(y))
        return x;
    if (__builtin_isfinite(8 * divisor))
        rest = __builtin_fmod(rest, 8 * divisor);
    for (int bit = 8; bit > 0; bit /= 2)
        if (rest >= bit * divisor) {
            rest -= bit * divisor;
            count += bit;
        }
    *quotient = count % 8;
    if (rest > divisor - rest || (rest == divisor - rest && count % 2)) {
        rest -= divisor;
        ++*quotient;
    }
    if ((x < 0) != (y < 0))
        *quotient = -*quotient;
    return x < 0 || (x == 0 && __builtin_signbit(x)) ? -rest : rest;
}

double remquo(double x, double y, int *quotient) { return nearest_remainder(x, y, quotient); }

double remainder(double x, double y)
{
    int quotient;
    return nearest_remainder(x, y, &quotient);
}

// Choices.

double fmax(double x, double y) { return __builtin_isnan(y) || x > y ? x : y; }
double fmin(double x, double y) { return __builtin_isnan(y) || x < y ? x : y; }
double fdim(double x, double y) { return x <= y ? 0 : x - y; }

// The text of a NaN with the tag, for `strtod`.
static void put_tag(char *text, const char *tag)
{
    strcpy(text, "nan(");
    strcat(text, tag);
    strcat(text, ")");
}

double nan(const char *tag)
{
    char text[strlen(tag) + 6];
    put_tag(text, tag);
    return strtod(text, 0);
}


#ifndef LONG_DOUBLE
// The functions for `float`.

float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
float rintf(float x) { return rint(x); }
float nearbyintf(float x) { return rint(x); }
long lroundf(float x) { return __builtin_roundf(x); }
long long llroundf(float x) { return __builtin_roundf(x); }
long lrintf(float x) { return rint(x); }
long long llrintf(float x) { return rint(x); }
float scalbnf(float x, int n) { return scalbn(x, n); }
float ldexpf(float x, int n) { return scalbn(x, n); }
float scalblnf(float x, long n) { return scalbln(x, n); }
int ilogbf(float x) { return ilogb(x); }
float logbf(float x) { return logb(x); }
float frexpf(float x, int *exponent) { return frexp(x, exponent); }
float nextafterf(float x, float y) { return next(x, y, -126, 23); }
float remquof(float x, float y, int *quotient) { return nearest_remainder(x, y, quotient); }
float remainderf(float x, float y) { return remainder(x, y); }
float fmaxf(float x, float y) { return __builtin_isnan(y) || x > y ? x : y; }
float fminf(float x, float y) { return __builtin_isnan(y) || x < y ? x : y; }
float fdimf(float x, float y) { return x <= y ? 0 : x - y; }

float nanf(const char *tag)
{
    char text[strlen(tag) + 6];
    put_tag(text, tag);
    return strtof(text, 0);
}


float modff(float x, float *whole)
{
    *whole = __builtin_truncf(x);
    return __builtin_copysignf(__builtin_isinf(x) ? 0 : x - *whole, x);
}
#endif
