// `div` and its types, macros for literals, and character constants in UTF-8.
// why: the macros append suffixes to their operands, and `div` returns a struct.
// expect: -3 -1 4 3 -2147483648 8 255 -128
// expect: 8 8 4 1
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static int calls;
static int next(void) { return ++calls; }
int main(void) {
    div_t d = div(-7, 2);
    ldiv_t l = ldiv(19l, 4);
    long long low = lldiv(-2147483648ll * 3, 3).quot;
    printf("%d %d %ld %ld %lld %d %d %d\n", d.quot, d.rem, l.quot, l.rem, low, div(next() * 16, 2).quot,
           UINT8_C(255), -INT8_C(128));
    printf("%d %d %d %d\n", (int)sizeof UINT64_C(1), (int)sizeof(INTMAX_C(0x10)), (int)sizeof(UINT32_C( 7 )), calls);
}
