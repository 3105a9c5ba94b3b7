// Payloads of NaNs: constants, conversions, arithmetic, memory, and the functions that read tags.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float small = __builtin_nanf("0x12");
static double large = -__builtin_nan("0x345");

static double signalling[] = { __builtin_nans("7"), __builtin_nans("0x7ffffffffffff") };

static void show(double number) {
    unsigned long bits;
    memcpy(&bits, &number, sizeof bits);
    printf("%lx ", bits);
}

static void show_small(float number) {
    unsigned bits;
    memcpy(&bits, &number, sizeof bits);
    printf("%x ", bits);
}

int main(void) {
    double number = __builtin_nan("0xABCDE12345"), numbers[2] = { 1, number }, copies[2];
    float reduced = __builtin_nanf("0xCAFE");
    union { unsigned long bits; double number; } both = { 0x7ff8dead0000beef };
    struct { float small; double large; } pair = { reduced, -number }, copy = pair;
    show(large), show(-large), show(number), show(number + 1), show(2 - number), show(fabs(-number));
    show_small(small), show_small(-small), show_small(reduced), show_small(reduced * 2), show_small(fabsf(-reduced));
    show(reduced), show_small(number), show_small((float)__builtin_nan("0xfffffffffffff"));
    memcpy(copies, numbers, sizeof copies);
    show(copies[1]), show(both.number), show(copy.large), show_small(copy.small), show(number > 0 ? number : -number);
    number = both.number;
    both.bits = 0;
    both.number = number;
    printf("%lx\n", both.bits);
    show(__builtin_nan("")), show(__builtin_nan("017")), show(__builtin_nan("x")), show(-__builtin_nan("99999999999999999"));
    show(nan("5")), show(nan("")), show(nan("0x7ffffffff")), show(nan("5x")), show_small(nanf("77"));
    show(strtod("nan(123)", NULL)), show(strtod("-NaN(0x7)", NULL)), show(strtod("nan(08)", NULL)), show_small(strtof("nan(4194305)", NULL));
    show(__builtin_nans("")), show(-__builtin_nans("0x5")), show(signalling[0]), show(signalling[1]);
    printf("%f %e %g %d %d\n", number, -number, (double)reduced, number == number, number != number);
    return 0;
}
