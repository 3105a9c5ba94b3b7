// Arguments are converted to the parameters' types, and results to the function's.
// why: as by assignment: `char` parameters wrap, `bool` results become 0 or 1.
// expect: 44 255
// expect: 3.50 48.50
// expect: -1 4294967295 4294967295
// expect: 1 0 1
// expect: -1 -7 0.100000001
// expect: 1 1
#include <stdbool.h>
#include <stdio.h>

int as_char(char c) { return c; }
int as_unsigned_char(unsigned char c) { return c; }
double as_double(double d) { return d / 2; }
long as_long(long l) { return l; }
unsigned as_unsigned(unsigned u) { return u; }
bool as_bool(int n) { return n; }
char narrow(int n) { return n; }
int truncated(double d) { return d; }
float rounded(double d) { return d; }
bool flag(bool b) { return b; }

int main(void) {
    printf("%d %d\n", as_char(300), as_unsigned_char(-1));
    printf("%.2f %.2f\n", as_double(7), as_double('a'));
    printf("%ld %ld %u\n", as_long(-1), as_long(4294967295u), as_unsigned(-1));
    printf("%d %d %d\n", as_bool(256), as_bool(0), as_bool(-1));
    printf("%d %d %.9g\n", narrow(511), truncated(-7.9), rounded(0.1));
    printf("%d %d\n", flag(0.25), flag(1l << 40));
    return 0;
}
