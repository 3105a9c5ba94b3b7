#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

const char *texts[] = {
    "0.1", "1e4932", "1e4933", "-1.189731495357231765021263853e4932", "1e-4960", "0x1.8p3",
    "0x1.fffffffffffffffep16383", "0x1.ffffffffffffffffp16383", "0x1p-16445", "0x1p-16446", "0x0.00001p-16390", "inf",
    "-nan", "  +12.5xyz", ".", "18446744073709551615", "18446744073709551615.5", "18446744073709551616.5",
    "0.333333333333333333333333333333333333333333", "1e-5", "123456789012345678901234567890", "0x123456789abcdef01",
    "0xffffffffffffffff8", "3.3621031431120935062e-4932", "1.00000000000000000005",
    "1.0000000000000000000542101086242752217",
    "1.00000000000000000005421010862427522170037264004349708557128906250000001",
};
const long double numbers[] = {
    0, -0.0L, 1.5L, 0.1L, -2.0L / 3, 1e18L + 0.5L, 1e300L * 1e300L, INFINITY, -NAN, 0.97L, 1e-30L, LDBL_EPSILON,
};

void written(const char *format, ...)
{
    char text[200];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    printf("%d %s\n", length, text);
}

int main(void)
{
    char text[6000], *end;
    for (int i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        long double x = numbers[i];
        sprintf(text, "%Lf|%.20Lg|%Le|%La|%.2La|%+12.3LE|%-12.1Lf|%012.2Lf|%.0Lf", x, x, x, x, x, x, x, x, x);
        puts(text);
        fprintf(stdout, "%d %#.0Le %LG %s %f\n", i, x, x, "s", (double)x);
        written("%s %Lf %d %Lg %c %g", "a", x, i, x / 3, 'c', (double)x);
    }
    snprintf(text, sizeof text, "%Lf", LDBL_MAX);
    puts(text);
    for (int i = 0; i < sizeof texts / sizeof *texts; i++) {
        long double x, y = -1;
        errno = 0;
        x = strtold(texts[i], &end);
        printf("%s: %La %d %d\n", texts[i], x, (int)(end - texts[i]), errno);
        if (i % 5 == 0) {
            int count = sscanf(texts[i], "%Lf", &y);
            printf("%d %La %g %g\n", count, y, strtod(texts[i], 0), strtof(texts[i], 0));
        }
    }
    long double nans[] = { __builtin_nanl("0x123456789abcdef"), -__builtin_nanl("7"), __builtin_nanf("0xcafe"),
                           __builtin_nan("0x345"), strtold("nan(0x77)", NULL), nanl("88"), nanl("") };
    for (int i = 0; i < sizeof nans / sizeof *nans; i++) {
        long double next = nans[(i + 1) % 7], all[] = { nans[i], -nans[i], nans[i] + 1, nans[i] * next, next / nans[i] };
        for (int j = 0; j < sizeof all / sizeof *all; j++) {
            unsigned long parts[2] = { 0, 0 };
            double number = all[j];
            float small = all[j];
            memcpy(parts, &all[j], 10);
            printf("%lx %lx ", parts[1], parts[0]);
            memcpy(parts, &number, sizeof number);
            printf("%lx ", parts[0]);
            parts[0] = 0;
            memcpy(parts, &small, sizeof small);
            printf("%lx\n", parts[0]);
        }
    }
    long double signalling[] = { __builtin_nansl(""), -__builtin_nansl("0x77") };
    for (int i = 0; i < 2; i++) {
        unsigned long parts[2] = { 0 };
        memcpy(parts, &signalling[i], 10);
        printf("%lx %lx\n", parts[1], parts[0]);
    }
    return 0;
}
