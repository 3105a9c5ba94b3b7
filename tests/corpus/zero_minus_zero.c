// Zero minus zero is zero, not -0.
// why: a compiler that takes `0.0 - x` for `-x` gets the sign of a zero wrong.
// expect: 0 0 -0
#include <stdio.h>

int main(void) {
    int i = 0;
    double x = i;
    printf("%g %g %g\n", 0.0 - i, 0.0 - x, -x);
    return 0;
}
