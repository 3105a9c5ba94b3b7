// The functions of <complex.h> for `double` and `float`, which call those of <math.h>.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <tgmath.h>

static const double parts[] = { 0, -0.0, 1, -0.75, 0.3, 1e-20, 3, -20, 800, DBL_MAX, DBL_MIN, INFINITY, NAN, DBL_EPSILON };
enum { COUNT = sizeof parts / sizeof *parts };

static void show_part(double x) { printf(isnan(x) ? " nan %g" : " %.6g", isnan(x) || fabs(x) < 1e-300 ? 0 : x); }
static void show(double complex z) { show_part(creal(z)), show_part(cimag(z)); }
static void show_float(float complex z) { printf(" %.3g %.3g", fabsf(crealf(z)), fabsf(cimagf(z))); }

static void of_double(double complex z, double complex w)
{
    show(cacos(z)), show(cacosh(z)), show(casin(z)), show(casinh(z)), show(catan(z)), show(catanh(z)),
    show(ccos(z)), show(ccosh(z)), show(cexp(z)), show(clog(z)), show(csin(z)), show(csinh(z)), show(csqrt(z)),
    show(ctan(z)), show(ctanh(z)), show(cpow(z, w));
    printf("\n");
}

static void of_float(float complex z, float complex w)
{
    show_float(cacosf(z)), show_float(cacoshf(z)), show_float(casinf(z)), show_float(casinhf(z)),
    show_float(catanf(z)), show_float(catanhf(z)), show_float(ccosf(z)), show_float(ccoshf(z)),
    show_float(cexpf(z)), show_float(clogf(z)), show_float(csinf(z)), show_float(csinhf(z)),
    show_float(csqrtf(z)), show_float(ctanf(z)), show_float(ctanhf(z)), show_float(cpowf(z, w));
    printf("\n");
}

static double complex (*const functions[])(double complex) = { csqrt, conj };

int main(void)
{
    show(functions[0](3 - 4 * I)), show(functions[1](I)), printf("\n");
    for (int i = 0; i < COUNT * COUNT; i += 3) {
        int j = i * 5 % (COUNT * COUNT);
        double complex z = CMPLX(parts[i / COUNT], parts[i % COUNT]);
        of_double(z, CMPLX(parts[j / COUNT], parts[j % COUNT]));
        if (cabs(z) < 100 && cabs(z) > 0.01)
            of_float(z, 1.5f - 0.5f * I);
    }
    float complex narrow = 1 + I;
    printf("%zu %zu %zu", sizeof sqrt(narrow), sizeof pow(narrow, 2), sizeof fabs(narrow));
    show(sin(narrow)), show(log(1 + 2 * I)), show(pow(2, I)), show(carg(-1.0f)), show(conj(narrow)), show(creal(2)), show(fabs(narrow));
    printf("\n");
}
