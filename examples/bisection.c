// The root of x³ - x - 2 between 1 and 2, by bisection.
//
// why: floating point in a loop: two variables, only one of which changes in each round.
// expect: 1.521379707
#include <assert.h>
#include <stdio.h>

double f(double x) {
    return x * x * x - x - 2;
}

double bisect(double low, double high, double width) {
    while (high - low > width) {
        double middle = (low + high) / 2;
        if ((f(low) < 0) == (f(middle) < 0)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (low + high) / 2;
}

int main(void) {
    double root = bisect(1, 2, 1e-12);
    printf("%.9f\n", root);
    assert(f(root) < 1e-9 && f(root) > -1e-9);
    return 0;
}
