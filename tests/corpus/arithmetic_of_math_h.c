// Functions of <math.h> in arithmetic.
// why: pure operations, and their results where they are not defined.
// expect: 25 5.000000
// expect: 0.00000 1.00000 0.00000
// expect: 0.70711 0.70711 0.78540
// expect: 1.00000 0.00000 1.57080
// expect: 1.41421 2.71828 2.30259 -3.000
// expect: -3 -2 -2 -0
// expect: 0 1 1 1
#include <math.h>
#include <stdio.h>

double distance(double x, double y) { return sqrt(x * x + y * y); }

int is_prime(int n) {
    int limit = (int)floor(sqrt(n));
    for (int i = 2; i <= limit; i++)
        if (fmod(n, i) == 0)
            return 0;
    return n > 1;
}

int main(void) {
    int primes = 0;
    for (int n = 0; n < 100; n++)
        primes += is_prime(n);
    printf("%d %.6f\n", primes, distance(3, 4));
    for (int degrees = 0; degrees <= 90; degrees += 45) {
        double angle = degrees * M_PI / 180;
        printf("%.5f %.5f %.5f\n", sin(angle), cos(angle), atan2(sin(angle), cos(angle)));
    }
    printf("%.5f %.5f %.5f %.3f\n", pow(2, 0.5), exp(1), log(10), cbrtf(-27));
    printf("%g %g %g %g\n", round(-2.5), trunc(-2.5), ceil(-2.5), copysign(0, -1));
    double nothing = sqrt(-1), huge = exp(1000);
    printf("%d %d %d %d\n", nothing == nothing, huge == INFINITY, log(0) == -INFINITY, isnan(nothing) && isinf(huge));
    return 0;
}
