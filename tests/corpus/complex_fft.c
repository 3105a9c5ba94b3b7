// The fast Fourier transform and its inverse, in place.
// why: complex elements of arrays, products with roots of unity, and a conjugate.
// expect: -2.0000 15.0000
// expect: -2.3048 -1.0404
// expect: -3.2929 -1.2929
// expect: -13.5917 -4.5980
// expect: 59.0000 1
#include <complex.h>
#include <math.h>
#include <stdio.h>

enum { SIZE = 16 };

static void transform(double complex *a, int n, int sign) {
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
    }
    for (int length = 2; length <= n; length *= 2) {
        double complex root = cos(2 * acos(-1) / length) + sign * sin(2 * acos(-1) / length) * I;
        for (int start = 0; start < n; start += length) {
            double complex power = 1;
            for (int k = start; k < start + length / 2; k++, power *= root) {
                double complex odd = a[k + length / 2] * power;
                a[k + length / 2] = a[k] - odd;
                a[k] += odd;
            }
        }
    }
}

int main(void) {
    double complex a[SIZE], spectrum[SIZE];
    double energy = 0, error = 0;
    for (int i = 0; i < SIZE; i++) spectrum[i] = a[i] = i % 5 - 2 + (i % 3) * I;
    transform(spectrum, SIZE, 1);
    for (int i = 0; i < SIZE; i++) energy += creal(spectrum[i] * conj(spectrum[i])) / SIZE;
    for (int i = 0; i < 4; i++) printf("%.4f %.4f\n", creal(spectrum[i]), cimag(spectrum[i]));
    transform(spectrum, SIZE, -1);
    for (int i = 0; i < SIZE; i++) error += fabs(creal(spectrum[i] / SIZE - a[i]));
    printf("%.4f %d\n", energy, error < 1e-12);
    return 0;
}
