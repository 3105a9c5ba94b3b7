// Numbers of type `long double`: arithmetic, conversions, memory, arguments and output.
// why: its significand has 64 bits, and it takes two slots of 16 bytes in all
// expect: 3.100000 -2.900000 0.300000 0.033333 -0.100000
// expect: 1 1 0 0
// expect: 0.10000000000000000000 1.73205080756887729357 0xc.ccccccccccccccdp-7
// expect: 0 inf -1.5
// expect: 4.000000 -1.000000 1.000000 3.000000 4.000000
// expect: 65535.0 -7.0 18446744073709551615.0 42.957142857142856 42.9571419
// expect: 300 200 3007000000 -300700000000000000 18042000000000000001
// expect: 16 16 18 1.18973e+4932 3.6452e-4951
// expect: 1.500000000000000000 3.600000000000000006 5.900000000000000022 8.700000000000000011
// expect: 1.33333333333333333337 2.5
// expect: c000000000000000 bfff
// expect: 0 1 3

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct parts { char c; long double x; float f; };
union image { long double x; struct { unsigned long significand; unsigned short head; } parts; };

static long double table[3] = { 1.5L, 2, 0.1 };
static struct parts third = { 'a', 1.0L / 3, 2.5f };

static long double polynomial(const long double *c, int n, long double x)
{
    long double sum = 0;
    while (n--)
        sum = sum * x + c[n];
    return sum;
}

static long double (*function)(const long double *, int, long double) = polynomial;

static long double total(int n, ...)
{
    va_list list;
    va_start(list, n);
    long double sum = 0;
    for (int i = 0; i < n; i++)
        sum += va_arg(list, int) * va_arg(list, long double);
    va_end(list);
    return sum;
}

static void arithmetic(long double x, long double y)
{
    printf("%Lf %Lf %Lf %Lf %Lf\n", x + y, x - y, x * y, x / y, -x);
    printf("%d %d %d %d\n", x < y, x == 0.1L, x > 0.1, !x);
    printf("%.20Lf %.20Lf %La\n", x, sqrtl(y), x);
    long double w = 1;
    w /= 3;
    w *= 3;
    printf("%Lg %Lg %Lg\n", w - 1, 1 / (w - w), fmodl(-7.5L, y++));
    printf("%Lf %Lf %Lf %Lf %Lf\n", y, floorl(-x), ceill(x), roundl(2.5L), fabsl(-y));
}

static void conversions(long double x)
{
    unsigned short s = 65535;
    signed char t = -7;
    unsigned long most = ~0ul;
    printf("%.1Lf %.1Lf %.1Lf %.17g %.9g\n", s + 0.0L, (long double)t, (long double)most, (double)(x / 7), (float)(x / 7));
    printf("%d %d %u %ld %lu\n", (short)x, (unsigned char)(x - 100), (unsigned)(x * 1e7L), (long)(-x * 1e15L),
           (unsigned long)(x * 6e16L));
}

int main(void)
{
    arithmetic(0.1L, 3);
    conversions(300.7L);
    printf("%zu %zu %d %Lg %Lg\n", sizeof(long double), _Alignof(long double), LDBL_DIG, LDBL_MAX, LDBL_TRUE_MIN);
    long double *copy = malloc(sizeof table);
    for (int i = 0; i < 3; i++)
        copy[i] = function(table, 3, i);
    printf("%.18Lf %.18Lf %.18Lf %.18Lf\n", copy[0], copy[1], copy[2], total(2, 1, 1.5L, 2, copy[1]));
    free(copy);
    struct parts other = third;
    other.x += 1;
    printf("%.20Lf %g\n", other.x, other.f);
    union image image = { .x = -1.5L };
    printf("%lx %x\n", image.parts.significand, image.parts.head);
    printf("%d %d %d\n", isnan(other.x), isinf(LDBL_MAX * 2) && __builtin_isinfl(LDBL_MAX * 2), fpclassify(LDBL_MIN / 2));
    return 0;
}
