// Complex numbers of type `long double`.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <tgmath.h>

static const long double parts[] = { 0, -0.75L, 0.3L, 1e-20L, 3, -12000, LDBL_MAX, LDBL_MIN, -INFINITY, 1 - LDBL_EPSILON };
enum { COUNT = sizeof parts / sizeof *parts };

static void show_part(long double x) { printf(isnan(x) ? " nan" : " %La", x); }
static void show(long double complex z) { show_part(creall(z)), show_part(cimagl(z)); }
static long double complex chosen(long double complex z, double complex w, int is_first) { return is_first ? z : w; }

static void operate(long double complex z, long double complex w)
{
    show(z + w), show(z - w), show(z * w), show(z / w), show(z * __real__ w), show(__real__ z / w), show(chosen(z, w, 0));
    printf(" %d %d\n", z == w, !z);
}

static void apply(long double complex z, long double complex w)
{
    show(cacosl(z)), show(cacoshl(z)), show(casinl(z)), show(casinhl(z)), show(catanl(z)), show(catanhl(z)),
    show(ccosl(z)), show(ccoshl(z)), show(cexpl(z)), show(clogl(z)), show(csinl(z)), show(csinhl(z)),
    show(csqrtl(z)), show(ctanl(z)), show(ctanhl(z)), show(cpowl(z, w));
    printf("\n");
}

int main(void)
{
    for (int i = 0; i < COUNT * COUNT; i += 3) {
        int j = i * 7 % (COUNT * COUNT);
        long double complex z = CMPLXL(parts[i / COUNT], parts[i % COUNT]), w = CMPLXL(parts[j / COUNT], parts[j % COUNT]);
        operate(z, w);
        if (i % 2)
            apply(z, w);
    }
    static long double complex constant = 1 / (3.0L + 0.1Li);
    show(constant), show(chosen(constant, 2, 1)), show(1.5Li * I), show(conjl(constant)), show(cprojl(constant * INFINITY));
    show(cabsl(constant)), show(cargl(constant)), show(sqrt(constant)), show(fabs(constant));
    printf(" %zu %zu %zu", sizeof exp(constant), sizeof pow(constant, 2), _Alignof(long double complex));
    printf("\n");
}
