// Comparisons of floating values, zeros of both signs, infinities and NaN among them.
// why: NaN differs from all and from itself; `!(a < b)` is not `a >= b`.
// expect: 110001010
// expect: 010110101
// expect: 010110100
// expect: 110001010
// expect: 000001110
// expect: 000001110
// expect: NaN is true
// expect: and no equal of itself
// expect: 1 1
// expect: inf -inf -0.000000 -0.000000
// expect: 0 2 2 -0
#include <stdio.h>

void compare(double a, double b) {
    printf("%d%d%d%d%d%d", a < b, a <= b, a > b, a >= b, a == b, a != b);
    printf("%d%d%d\n", !(a < b), !(a >= b), !a);
}

int main(void) {
    double zero = 0, infinity = 1 / zero, nan = infinity - infinity;
    compare(1, 2);
    compare(zero, -zero);
    compare(infinity, infinity);
    compare(-infinity, infinity);
    compare(nan, nan);
    compare(nan, 1);
    if (nan) printf("NaN is true\n");
    if (!(nan == nan)) printf("and no equal of itself\n");
    printf("%d %d\n", nan ? 1 : 2, nan && 1);
    printf("%f %f %f %f\n", infinity, -infinity, 1 / -infinity, -zero);
    while (nan < 1) printf("never\n");
    printf("%.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, -0.5);
    return 0;
}
