// Arguments of printf are promoted: `float` to `double`, small integers to `int`.
// why: a variadic function sees no narrow types.
// expect: -1 255 -2 65535 1 0.100000001490
// expect: bbffff
#include <stdbool.h>
#include <stdio.h>

int main(void) {
    char c = -1;
    unsigned char uc = 255;
    short s = -2;
    unsigned short us = 65535;
    bool b = true;
    float f = 0.1f;
    printf("%d %d %d %d %d %.12f\n", c, uc, s, us, b, f);
    printf("%c%c%x\n", uc - 157, c + 'c', us);
    return 0;
}
