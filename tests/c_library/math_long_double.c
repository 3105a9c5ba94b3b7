#include <float.h>
#include <math.h>
#include <stdio.h>
#include <wchar.h>

const long double numbers[] = {
    0, -0.0L, 1.5L, -2.5L, 0.1L, 1e18L + 0.5L, 3e-4940L, LDBL_MAX, LDBL_MIN, LDBL_TRUE_MIN, INFINITY, NAN, -7.75L, 8, 1e-3L,
};
enum { COUNT = sizeof numbers / sizeof *numbers };

long double (*function)(long double) = sinl;

void of_one(long double x)
{
    int exponent;
    long double whole, part = frexpl(x, &exponent);
    printf("%Lg: %La %La %La %La %La", x, rintl(x), nearbyintl(x), floorl(x), ceill(x), roundl(x));
    printf(" %La %d %La", part, isfinite(x) ? exponent : 0, modfl(x, &whole));
    printf(" %La %d %La %La", whole, ilogbl(x), logbl(x), ldexpl(x, 5));
    printf(" %La %La %La %La", scalbnl(x, -16500), scalblnl(x, 20000), nextafterl(x, 1), nextafterl(x, -INFINITY));
    x = fabsl(x) < 1e18 ? x : 0;
    printf(" %ld %lld %ld %lld\n", lroundl(x), llroundl(x), lrintl(x), llrintl(x));
}

void of_two(long double x, long double y)
{
    int quotient = 0;
    long double rest = remquol(x, y, &quotient);
    int is_defined = isfinite(x) && y == y && y != 0;
    printf("%La %La %La %La", fmaxl(x, y) + 0, fminl(x, y) + 0, fdiml(x, y), copysignl(x, y));
    printf(" %La %La %d %La\n", remainderl(x, y), rest, is_defined ? quotient : 0, fmodl(x, y));
}

int main(void)
{
    for (int i = 0; i < COUNT; i++) {
        of_one(numbers[i]);
        for (int j = 0; j < COUNT; j += 2)
            of_two(numbers[i], numbers[j]);
    }
    wchar_t *end;
    printf("%d ", wcstold(L"0.1x", &end) == 0.1L && *end == 'x');
    printf("%a %a %La", nexttoward(1, 2), nexttowardf(0, -1), nexttowardl(-1, -1 - LDBL_EPSILON));
    printf(" %a %a\n", nexttoward(1, 1 + LDBL_EPSILON), nexttoward(DBL_MAX, LDBL_MAX));
    printf("%La %La %La %La %La\n", nanl(""), function(1), fmal(0.1L, 10, -1), hypotl(3, 4), cbrtl(27));
    printf("%.20Lf %.20Lf %.20Lf %.20Lf\n", expl(1), logl(2), powl(2, 0.5L), atan2l(1, 1));
    return 0;
}
