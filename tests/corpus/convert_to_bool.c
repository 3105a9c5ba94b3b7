// Conversion to `_Bool` asks whether a value differs from zero.
// why: it is no truncation: 256 and 0.5 become 1.
// expect: 1 1 0 0 1 1 1
// expect: 1 1 0 2
#include <stdbool.h>
#include <stdio.h>

int main(void) {
    _Bool a = 256;
    bool b = 0.5;
    bool c = 0.0;
    bool d = -0.0;
    bool e = 'x';
    bool f = 4294967296;
    bool g = 0.1f;
    printf("%d %d %d %d %d %d %d\n", a, b, c, d, e, f, g);
    int n = 512;
    b = n;
    c = (bool)n + (bool)n;
    d = (_Bool)(n - 512);
    printf("%d %d %d %d\n", b, c, d, (bool)n + (bool)n);
    return 0;
}
