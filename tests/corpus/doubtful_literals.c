// Literals that gcc accepts with warnings.
// why: a number that is too large is infinite or unsigned; an unknown escape sequence is its character.
// expect: inf inf -inf
// expect: -9223372036854775808 18446744073709551615
// expect: az{b q 5
#include <stdio.h>

int main(void) {
    double infinite = 1e999;
    float narrow = 1e39f;
    long least = -9223372036854775808;
    unsigned long most = 18446744073709551615;
    printf("%g %g %g\n", infinite, narrow, -0x1p5000);
    printf("%ld %lu\n", least, most);
    printf("a\z\{b %c %d\n", '\q', (int)sizeof "\a\z\é");
}
