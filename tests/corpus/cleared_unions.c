// Unions that are initialised by a field that is smaller than the union.
// why: the other bytes are zero, also beyond `long double`, bit-fields and arrays; the zero is stored by one field that covers the union.
// expect: ffffffff 1 1 0
// expect: y 7 97 0 5 0
// expect: z 0 1
// expect: 121
#include <stdio.h>
#include <string.h>
typedef union { int i; double d; void *p; } U;
typedef struct { U u; long tag; } V;
union W { char c; struct { short a, b; } s; unsigned short h[2]; };
union L { char c; long double d; };
union B { unsigned b : 3; char c; };
union E { char c[3]; };
union Arr { char c; V v[2]; };
static V mk(int v) { return (V){ (U){ .i = v }, 0 }; }
int main(void) {
    V a = { { .i = 3 } };
    union W w = { .c = 'x' };
    union L l = { 'y' };
    union B b = { .c = 7 };
    union E e = { "a" };
    union Arr r = { .v = { { { 5 } } } };
    union Arr q = { 'z' };
    V m = mk(-1);
    printf("%lx %d %d %d\n", *(long *)&m.u, a.u.p == (void *)3, w.s.a == 'x', w.s.b);
    printf("%c %d %d %d %d %ld\n", l.c, b.b, e.c[0], e.c[2], r.v[0].u.i, r.v[1].tag);
    printf("%c %ld %d\n", q.c, q.v[1].tag, q.v[0].u.i == 'z');
    unsigned char bytes[sizeof l];
    memcpy(bytes, &l, sizeof l);
    int sum = 0;
    for (unsigned i = 0; i < sizeof l; i++) sum += bytes[i];
    printf("%d\n", sum);
    return 0;
}
