// The roots of a quadratic equation, and those of a polynomial by the method of Durand and Kerner.
// why: complex parameters and results, quotients, and functions of <complex.h>.
// expect: 1.00000-2.00000i
// expect: 1.00000+2.00000i
// expect: -2.00000+0.00000i
// expect: 2.58740+0.00000i
// expect: 0.20630+1.37473i
// expect: 0.20630-1.37473i
// expect: 1
#include <complex.h>
#include <stdio.h>

struct roots {
    double complex first, second;
};

static struct roots quadratic(double complex a, double complex b, double complex c) {
    double complex root = csqrt(b * b - 4 * a * c);
    return (struct roots){ (-b + root) / (2 * a), (-b - root) / (2 * a) };
}

static double complex value(const double complex *coefficients, int degree, double complex x) {
    double complex sum = 1;
    for (int i = degree - 1; i >= 0; i--) sum = sum * x + coefficients[i];
    return sum;
}

static void show(double complex z) { printf("%.5f%+.5fi\n", creal(z) + 0.0000001, cimag(z) + 0.0000001); }

int main(void) {
    struct roots found = quadratic(1, -2, 5);
    show(found.first);
    show(found.second);
    found = quadratic(1, -3 * I, -2);
    show(found.first * found.second);
    double complex coefficients[] = { -5, 3, -3 }, roots[] = { 1, 0.4 + 0.9 * I, (0.4 + 0.9 * I) * (0.4 + 0.9 * I) };
    for (int step = 0; step < 40; step++)
        for (int i = 0; i < 3; i++) {
            double complex divisor = 1;
            for (int j = 0; j < 3; j++)
                if (j != i) divisor *= roots[i] - roots[j];
            roots[i] -= value(coefficients, 3, roots[i]) / divisor;
        }
    for (int i = 0; i < 3; i++) show(roots[i]);
    printf("%d\n", cabs(value(coefficients, 3, roots[0])) < 1e-9);
    return 0;
}
