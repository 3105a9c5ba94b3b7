// The Mandelbrot set, with complex numbers.
// why: a complex variable in a loop becomes two parameters of its continuation.
// expect: _____________________.+_____
// expect: ___________________.##-_____
// expect: ________________.#########__
// expect: __________.:#:.###########._
// expect: ___######################.__
// expect: __________.:#:.###########._
// expect: ________________.#########__
// expect: ___________________.##-_____
// expect: _____________________.+_____
#include <complex.h>
#include <stdio.h>

static int steps(double complex c) {
    double complex z = 0;
    int n = 0;
    while (n < 60 && creal(z) * creal(z) + cimag(z) * cimag(z) < 4) {
        z = z * z + c;
        n++;
    }
    return n;
}

int main(void) {
    for (double y = -1; y <= 1; y += 0.25) {
        for (double x = -2.2; x <= 0.6; x += 0.1)
            putchar("_.:-=+*#"[steps(x + y * I) * 7 / 60]);
        putchar('\n');
    }
    return 0;
}
