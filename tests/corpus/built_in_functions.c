// Built-in functions of gcc: bits, order of bytes, checks of overflow, and aliases of library functions.
// why: they are expressed in C, with variables that must not hide those of the program.
// expect: 4 24 4 5 0 28
// expect: 1 23 40 41 1 63 7
// expect: 3412 f0000000 10000 78563412
// expect: 1 -2147483648 0 12 0 -1
// expect: 1 0 0 9223372036854775807 1 44
// expect: 0 0 1 0 1 1 0 1
// expect: 3 4 abcdefg 7 1 0 1 1
// expect: 1 0 0
// expect: 1 0 1 0
// expect: 8 10 3
#include <stdio.h>
int ones = __builtin_popcount(255);
unsigned swapped = __builtin_bswap32(0x12345678);
static int side(int *calls) { return ++*calls; }
int main(void) {
    unsigned x = 0xf0, __x = 7;
    unsigned long y = 1ul << 40, n = -1;
    int r, s, calls = 2;
    long l, m;
    unsigned char c;
    double d = 0.5, nan = __builtin_nan("");
    char b[8];
    printf("%d %d %d %d %d %d\n", __builtin_popcount(x), __builtin_clz(x), __builtin_ctz(x), __builtin_ffs(x),
           __builtin_parity(x), __builtin_clrsb(5));
    printf("%d %d %d %d %d %d %d\n", __builtin_popcountl(y), __builtin_clzl(y), __builtin_ctzll(y), __builtin_ffsll(y),
           __builtin_parityll(y), __builtin_clrsbl(-1), __builtin_ctz(__x << 7));
    printf("%x %x %lx %x\n", __builtin_bswap16(0x1234), __builtin_bswap32(x), __builtin_bswap64(y), swapped);
    int overflows = __builtin_add_overflow(2147483647, 1, &r);
    printf("%d %d ", overflows, r);
    overflows = __builtin_mul_overflow(3, 4, &r);
    s = __builtin_sub_overflow(0u, 1u, &l);
    printf("%d %d %d %ld\n", overflows, r, s, l);
    printf("%d ", __builtin_add_overflow(n, 1, &n));
    printf("%lu %d ", n, __builtin_saddl_overflow(9223372036854775807, -1, &m));
    s = __builtin_add_overflow(150, 150, &c);
    printf("%ld %d %d\n", m + 1, s, c);
    const short zero = 0;
    signed char hundred = 100;
    printf("%d %d %d %d ", __builtin_add_overflow_p(x, x, 0u), __builtin_add_overflow_p(x, x, 0l),
           __builtin_mul_overflow_p(y, y, y), __builtin_mul_overflow_p(3, x, 0ul));
    printf("%d %d ", __builtin_sub_overflow_p(3u, 4u, 0u), __builtin_sub_overflow_p(-2, 3, 0ul));
    printf("%d %d\n", __builtin_add_overflow_p(hundred, hundred, zero),
           __builtin_add_overflow_p(hundred, hundred, hundred));
    __builtin_memcpy(b, "abcdefg", 8);
    printf("%d %ld %s %lu %d %d %d %d\n", __builtin_abs(-3), __builtin_labs(-4l), b, __builtin_strlen(b),
           __builtin_constant_p(3), __builtin_isnan(d), __builtin_isnan(nan), __builtin_isinf(d / 0.0));
    printf("%d %d %d\n", __builtin_isinff(1e39), __builtin_isinf(1e39), __builtin_isnanf(2.5f));
    printf("%d %d %d %d\n", __builtin_finite(d), __builtin_finitef(1e39), __builtin_signbitf(-0.f) != 0, __builtin_signbitl(1.0L));
    printf("%d %d ", ones, __builtin_popcount(__builtin_popcount(side(&calls))) + 9);
    printf("%d\n", calls);
    if (calls != 3) __builtin_trap();
    return calls == 3 ? 0 : (__builtin_unreachable(), 1);
}
