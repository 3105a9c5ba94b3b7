// Numbers at the starts of texts, with the rest of each text and `errno`.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const floating[] = {
    "", "-", "+", "-.", "+.e1", "-x", " -", "--1", "-e5", "-infi", "+INFINITY", "-na", "nan()", "nan(1)x", "nan(1 )", "NAN(a_1)z",
    "nan(-1)", "nan(12", "nan(99999999999999999999)", "-nan(0x12)", "0x", "0x.", "0x.p1", "-0xg", "0x1p+", "0X.1P2z", "0x1.fffffffffffff8p0",
    "0x1p-1075", "0x1.8p-1075", "0x1.8p-1074", "0x0.fffffffffffff8p-1022", "0x0.fffffffffffffcp-1022", "0x1.fffffffffffffcp1023",
    "0x.00000000000000000000000000000000000000000001p176", "0x123456789abcdef0123456789abcdef012345678p0", "0x1.00000000000008000000000000000000000000001p0",
    "0x1p99999999999", "1e", "1e+", "1.e5.5", "-1e309", "2.5e-324", "1e-400", "1e-310", "2.2250738585072011e-308", "2.22507385850720138e-308",
    "1.17549435e-38", "1.1754943e-38", "7e-46", "8e-46", "0x1.fffffep-127", "0x1.fffffffp-127", "1e-4940", "0x1p-16446",
    "0x1.8p-16445", "0x1p-16382", "0x1p16384",
};
static const char *const integers[] = { "", "-", "0x", "-0xg", "0X1z", "08", "+ 1", "-0x8000000000000001", "18446744073709551616" };
static const int bases[] = { 0, 16, 36, 1, 37, -1 };

int main(void) {
    char *end, rest[8];
    for (unsigned i = 0; i < sizeof floating / sizeof *floating; i++) {
        const char *text = floating[i];
        errno = 0;
        double number = strtod(text, &end);
        printf("%s: %a %d %d ", text, number, (int)(end - text), errno);
        errno = 0;
        float small = strtof(text, &end);
        printf("%a %d %d ", small, (int)(end - text), errno);
        *rest = 0;
        int count = sscanf(text, "%lf%7s", &number, rest);
        printf("%d %a %s ", count, count > 0 ? number : 0, rest);
        *rest = 0;
        count = sscanf(text, "%2f%7s", &small, rest);
        printf("%d %a %s\n", count, count > 0 ? small : 0, rest);
    }
    for (unsigned i = 0; i < sizeof integers / sizeof *integers; i++)
        for (unsigned j = 0; j < sizeof bases / sizeof *bases; j++) {
            end = NULL;
            errno = 0;
            long number = strtol(integers[i], &end, bases[j]);
            printf("%ld %d %d ", number, end ? (int)(end - integers[i]) : -1, errno);
            errno = 0;
            unsigned long large = strtoul(integers[i], NULL, bases[j]);
            printf("%lu %d\n", large, errno);
        }
    for (int c = -3; c < 300; c += 37)
        printf("%d %d ", isascii(c) != 0, toascii(c));
    return 0;
}
