// Bit-fields of packed structs, whose units extend past the struct.
// why: an access reads and writes only the bytes of the field; its neighbours and the object's end are respected.
// expect: 6 14 7 5
// expect: 0 -388888885 1 -466666662
// expect: 5124095576030430 99 -12345 5124095576030431 100 -12346
// expect: 01dfbc9a7856341240367efeff
// expect: 3 -4
// expect: -8589934592 0
// expect: -3 3 -4 7
#include <stdio.h>
#include <stdlib.h>
struct __attribute__((packed)) A { char c; long b:40; };
struct __attribute__((packed)) B { char c; long b:60; unsigned d:7; int e:30; };
union __attribute__((packed)) U { long b:40; unsigned short s; };
struct __attribute__((packed)) C { int a; int b:20; };
int main(void) {
    struct A a[2]; struct B b; struct B *p = calloc(1, sizeof *p); struct C c; union U u;
    printf("%zu %zu %zu %zu\n", sizeof a[0], sizeof b, sizeof c, sizeof u);
    for (int i = 0; i < 2; i++) { a[i].c = i; a[i].b = -5 - i; a[i].b *= 77777777; }
    printf("%d %ld %d %ld\n", a[0].c, (long)a[0].b, a[1].c, (long)a[1].b);
    b.c = 1; b.b = 0x0123456789abcdeL; b.d = 99; b.e = -12345;
    *p = b; p->b += 1; p->d++; p->e--;
    printf("%ld %u %d %ld %u %d\n", (long)b.b, b.d, b.e, (long)p->b, p->d, p->e);
    for (unsigned i = 0; i < sizeof *p - 1; i++) printf("%02x", ((unsigned char *)p)[i] );
    puts("");
    c.a = 3; c.b = -4; printf("%d %d\n", c.a, c.b);
    u.s = 0; u.b = -1L << 33; printf("%ld %u\n", (long)u.b, u.s);
    static struct B s = { 1, -2, 3, -4 }; struct B *q = &s;
    printf("%ld %u %d %d\n", (long)(q->b = q->b - 1), q->d, q->e, 7);
    free(p);
}
