// Integers of 128 bits: conversions, memory, bit-fields, arguments, cases and checks of overflow.
// why: their size, alignment and passing are those of gcc; constants of the program have more digits than those of C
// expect: 32 80 17 16 16
// expect:  fffffffffffffffffffffffffffffffb 00000000000000000000000000000009 fffffffffffffffffffffffffffffffd 0000000000000000000000000000000b
// expect:  fffffff8000000000000000000000003 0000000000000000000000000fffffff fffffffffffffffffffffffffffffffe 000000000000003fffffffffffffffff
// expect:  ffffffffffffffffffffffffffffffff fffffffffffffff90000000000000000 fffffffffffffffffffffffffffffffe
// expect:  00000000000000000000000000000000 fffffffffffffffdaaaaaaaaaaaaaaab 00000000000000000000000000000004
// expect:  0000000000000002fffffffffffffffd 00000000000000000000000000000005 00000000000845951614014880000000 ffffffffffffffffffffffffffffffff
// expect: 1.70141e+38 1 77
// expect:  000000000000003e0000000000000003 0000000000000001000000000000003f 5
// expect:  fffffffffffffffffffffffffffffffe 0688589cc0e9505e2f2fee5580000000
// expect: 1 2 3 4 5, 1 2 3
// expect: 1 1 1
// expect:  00000000000000140000000000000000 00000000000000028000000000000000 00000000000000000000000000000028 ffffffffffffffffffffffffffffff0f
// expect:  04000000000000000000000000000000 fc000000000000000000000000000000 80000000000000000000000000000000 7fffffffffffffffffffffffffffffff
// expect: 1 0 0 1 1 0
// expect: 128 -4611686018427387904 1.70141e+38 -1.70141e+38 1.70141e+38 inf fffffffffffffffffffffffffffffffe 00000000000000056bc7600000000000 fffffffffffffffffffffffffffffffd 000000000000000000000000ee6b2800
// expect: 3 1 3 3 3 3
// expect: 1 00000000000000000000000000000000 1 80000000000000000000000000000000 0 -15 1 -9223372036854775808

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __int128 i128;
typedef unsigned __int128 u128;
typedef unsigned mode __attribute__((mode(TI)));

struct bits { i128 a : 100; u128 b : 28; i128 c : 5; u128 d : 70; };
struct mixed { char c; u128 v[2]; struct { short s; i128 w; } in; };
struct packed { char c; i128 v; } __attribute__((packed));
struct single { i128 x; };
struct large { u128 a; long b; };
union image { u128 whole; unsigned long half[2]; unsigned char bytes[16]; };

static struct bits bits = { -5, 9, -3, 11 };
static struct mixed mixed = { 'x', { 1, (u128)-1 }, { 3, (i128)-7 << 64 } };
static struct packed packed = { 1, -2 };
static u128 product = (u128)3 * 0xffffffffffffffffu, sparse[] = { [2] = 5, 6 };
static i128 from_double = (i128)1e25;
static double to_double = (double)((u128)1 << 127);
static const i128 negative = -1;
static _Bool truth = (u128)1 << 100;
static int low = (int)(((i128)77 << 64) >> 64);

static void show(u128 x) { printf(" %016lx%016lx", (unsigned long)(x >> 64), (unsigned long)x); }

static void sum(int n, ...)
{
    va_list list;
    i128 total = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) {
        total += va_arg(list, int);
        total += va_arg(list, i128);
        total += va_arg(list, struct single).x;
    }
    va_end(list);
    show(total);
}

static struct large changed(struct large s, u128 by, struct single t)
{
    s.a += by * t.x;
    s.b++;
    return s;
}

static i128 add(i128 a, int b) { return a + b; }
static u128 factorial(int n) { return n ? n * factorial(n - 1) : 1; }

static int class(i128 x)
{
    switch (x) {
    case -1: return 1;
    case (i128)1 << 90: return 2;
    case ((i128)1 << 90) + 1 ... ((i128)1 << 90) + 5: return 3;
    case 0: return 4;
    default: return 5;
    }
}

static int unsigned_class(u128 x)
{
    switch (x) {
    case -1: return 1;
    case 7: return 2;
    }
    return 3;
}

int main(void)
{
    printf("%zu %zu %zu %zu %zu\n", sizeof bits, sizeof mixed, sizeof packed, _Alignof(struct large), sizeof(mode));
    show(bits.a), show(bits.b), show(bits.c), show(bits.d);
    bits.a = ((i128)1 << 99) + 3, bits.d = -1, bits.c++, bits.b -= 10;
    puts(""), show(bits.a), show(bits.b), show(bits.c), show(bits.d);
    puts(""), show(mixed.v[1]), show(mixed.in.w), show(packed.v);
    mixed.in.w /= 3, mixed.v[0] += mixed.v[1], packed.v *= packed.v;
    puts(""), show(mixed.v[0]), show(mixed.in.w), show(packed.v);
    puts(""), show(product), show(sparse[2]), show(from_double), show(negative);
    printf("\n%g %d %d\n", to_double, truth, low);

    sum(2, 1, (i128)1 << 70, (struct single){ 5 }, 2, (i128)-5, (struct single){ (i128)-1 << 65 });
    struct large large = changed((struct large){ (u128)1 << 64, 4 }, 9, (struct single){ 7 });
    show(large.a), printf(" %ld\n", large.b);
    i128 (*pointer)(i128, int) = add;
    show(pointer(-5, 3)), show(factorial(33));
    printf("\n%d %d %d %d %d, ", class(-1), class((i128)1 << 90), class(((i128)1 << 90) + 3), class(0), class(9));
    printf("%d %d %d\n", unsigned_class(-1), unsigned_class(7), unsigned_class(8));
    printf("%d %d %d\n", _Generic((mode)1 + 1, u128: 1, default: 2), _Generic((i128)0 + 1ull, i128: 1, default: 2),
           _Generic(1.0f * (i128)1, float: 1, default: 2));

    i128 q = 5;
    q <<= (i128)66, show(q), q >>= 3ul, show(q), q--, ++q, q %= 1000, show(q), q |= -1, q ^= 0xf0, show(q);
    u128 c = 1;
    c <<= 127, puts(""), show(c >> 5), show((i128)c >> 5), show(-c), show(~c);
    printf("\n%d %d %d %d %d %d\n", c > 5, (i128)c > 5, -1 < (u128)1, (i128)-1 < 1u, (i128)-1 < ~0ul, !c || c == 0);
    unsigned char top = c >> 120;
    long wrapped = (i128)3 << 62;
    float f = c;
    double d = (i128)c;
    printf("%d %ld %g %g %g %g", top, wrapped, f, d, (double)(c + 1), (float)(u128)-1);
    show((i128)-2.5), show((u128)1e20f), show((i128)(char)-3), show((u128)4000000000u);

    u128 *p = malloc(4 * sizeof *p), *last = p + 3;
    for (int i = 0; i < 4; i++)
        p[i] = (u128)i << 64 | i;
    memcpy(p, last, sizeof *p);
    union image image = { p[(i128)0] };
    printf("\n%ld %d %lu %d %d %d\n", last - p, last > p, image.half[1], image.bytes[0], image.bytes[8], (int)*p);
    free(p);

    u128 o;
    long l;
    printf("%d", __builtin_mul_overflow((u128)1 << 100, 1 << 28, &o)), show(o);
    printf(" %d", __builtin_sub_overflow((i128)1 << 126, (i128)-1 << 126, (i128 *)&o)), show(o);
    printf(" %d", __builtin_mul_overflow(-3l, 5ul, &l)), printf(" %ld", l);
    printf(" %d", __builtin_add_overflow((i128)1 << 62, (i128)1 << 62, &l)), printf(" %ld\n", l);
    return 0;
}
