// The operators on complex numbers, with infinities, NaN and the signs of zeros, and the functions of their parts.
#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const double parts[] = { 0, -0.0, 1, -2.5, 1e308, -3e-310, INFINITY, -INFINITY, NAN };
enum { COUNT = sizeof parts / sizeof *parts };

static double plain(double x) { return x != x ? fabs(x) : x; } // the signs of NaN are not defined
static void show(double complex z) { printf(" (%a %a)", plain(creal(z)), plain(cimag(z))); }
static void show_float(float complex z) { printf(" [%a %a]", plain(crealf(z)), plain(cimagf(z))); }

static void operate(double complex z, double complex w)
{
    double x = creal(w);
    float complex fz = z, fw = w;
    show(z + w), show(z - w), show(z * w), show(z / w), show(-z), show(~w), show(+z);
    show(z + x), show(x + z), show(z - x), show(x - z), show(z * x), show(x * z), show(z / x), show(x / z);
    show_float(fz * fw), show_float(fz / fw), show_float(fz + x), show(z * fw);
    printf(" %d%d%d%d%d\n", z == w, z != w, z == x, !z, z && w);
}

static void parts_of(double complex z)
{
    float complex f = z;
    show(conj(z)), show(cproj(z)), show_float(conjf(f)), show_float(cprojf(f));
    printf(" %g %g %.6g %.6g", plain(cabs(z)), plain(cabsf(f)), plain(carg(z)), plain(cargf(f)));
    printf(" %d %d\n", (_Bool)z, cimagf(f) == cimag(z));
}

struct sample {
    int number;
    float complex small;
    double complex values[3];
};

static struct sample samples[] = { { 1, 2, { 3, 4 + I, 5 * I } }, { 2, I, { [2] = CMPLX(-0.0, 1e-3) } } };
static double complex constant = (1 + 2 * I) * (3 - I) / (2.0 - 1.0i), table[] = { 1, [2] = I, -I };
static float complex third = CMPLXF(1, 1) / 3;

static double complex sum(int count, ...)
{
    double complex total = 0;
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        total += i % 2 ? va_arg(list, float complex) : va_arg(list, double complex);
    va_end(list);
    return total;
}

static double complex *larger(double complex *one, double complex *other) { return cabs(*one) > cabs(*other) ? one : other; }

int main(void)
{
    for (int i = 0; i < COUNT * COUNT; i += 2) {
        int j = i * 7 % (COUNT * COUNT);
        operate(CMPLX(parts[i / COUNT], parts[i % COUNT]), CMPLX(parts[j / COUNT], parts[j % COUNT]));
        parts_of(CMPLX(parts[j / COUNT], parts[i % COUNT]));
    }
    double complex z = 1, w, copies[2];
    __real__ w = 3, __imag__ w = -4;
    z += 2, z *= w, z -= I, z /= 2 * I, z++, --z;
    copies[0] = copies[1] = z;
    __imag__ copies[1] += 2;
    *larger(&copies[0], &copies[1]) = w;
    show(z), show(copies[0]), show(copies[1]), show(z++), show(z), show(constant), show(table[1]), show(table[3]);
    show_float(third), show(sum(3, z, third, w)), show((z, w)), show(z ? w : 1), show(creal(z) > 5 ? 1 : z);
    for (int i = 0; i < 2; i++)
        show(samples[i].values[2] * samples[i].small), show(samples[i].values[i] += samples[i].number);
    struct sample copy = samples[0];
    show(copy.values[0]), show((double complex){ 7 }), show(({ double complex t = w; t * t; }));
    double x = w, real = __real__ w * __imag__ w;
    unsigned char byte = 200.5 + 2i;
    x += z, byte += 1 + I;
    printf(" %g %g %d %zu %zu %zu", x, real, byte, sizeof z, sizeof third, _Alignof(float complex));
    printf(" %d %d", _Generic(z * third, double complex: 1, default: 2), _Generic(1.0fi, float complex: 3, default: 4));
    printf(" %d %g\n", __builtin_types_compatible_p(_Complex, double complex), __imag__ 2.5 + __real__ 3);
}
