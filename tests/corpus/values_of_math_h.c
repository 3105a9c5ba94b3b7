// Functions of <math.h> as values, and those with results in memory.
// why: a table of functions; functions that are written in C.
// expect: s 1.41615
// expect: e 6.38906
// expect: q 1.88539
// expect: a 2.00000
// expect: r 2.00000
// expect: -0.625 5 -20
// expect: 0.25 3 -3 1 -1
#include <math.h>
#include <stdio.h>

struct operation {
    char symbol;
    double (*apply)(double);
};

static const struct operation table[] = {{'s', sin}, {'e', exp}, {'q', sqrt}, {'a', fabs}, {'r', rint}};

static double integral(double (*f)(double), double from, double to) {
    const int steps = 100;
    double width = (to - from) / steps, sum = f(from) + f(to);
    for (int i = 1; i < steps; i++)
        sum += f(from + i * width) * (i % 2 ? 4 : 2);
    return sum * width / 3;
}

int main(void) {
    for (int i = 0; i < 5; i++)
        printf("%c %.5f\n", table[i].symbol, integral(table[i].apply, 0, 2));
    int exponent;
    double whole, fraction = frexp(-20, &exponent);
    printf("%g %d %g\n", fraction, exponent, ldexp(fraction, exponent));
    fraction = modf(3.25, &whole);
    printf("%g %g %ld %g %g\n", fraction, whole, lround(-2.5), fmax(1, NAN), fmin(-1, 2));
    return 0;
}
