// Alignment of variables, members and types, also over 16.
// why: the addresses of objects are multiples of their alignment under every engine and in every target.
// expect: 0
// expect: 32 128 24 128 256
// expect: 5 2 98 ab 2 3 4 7
// expect: 15 6
// expect: 9 8 7
// expect: 9 8 7
// expect: 1 abcd 1.5 7
// expect: 2 abcd 1.5 7
// expect: 9
// expect: 9 hello
// expect: 23 checks
// status: 7
#include <stdio.h>
#include <stdlib.h>
static int checks;
static void check(const void *p, unsigned long n) { checks++; if ((unsigned long)p % n) printf("check %d\n", checks); }
struct __attribute__((aligned(32))) S { int x; char c; };
struct T { char c; _Alignas(64) int m; int n; };
struct __attribute__((aligned(8))) P { int a[2]; };
struct Q { int x; struct P p; int y; };
union __attribute__((aligned(128))) U { char c[3]; short s; };
typedef int wide __attribute__((aligned(256)));
_Alignas(64) int ga[4];
int gb __attribute__((aligned(32))) = 5;
char gc[3] __attribute__((aligned(64))) = "ab";
struct S gs[3] = { {1, 'a'}, {2, 'b'} };
struct T gt = { 1, 2, 3 };
static struct Q gq = { 1, { { 2, 3 } }, 4 };
union U gu = { "xy" };
wide gw = 7;
static const _Alignas(512) char message[] = "hello";
static int rec(int n, int *count) {
    _Alignas(128) int here = n;
    char pad[n + 1];
    pad[n] = 0;
    int *p = &here;
    *count += (unsigned long)p % 128 == 0;
    return n ? rec(n - 1, count) + *p + pad[n] : 0;
}
static void passed(struct S s, struct T t) {
    struct S *p = &s; struct T *q = &t;
    printf("%d %d %d\n", p->x, q->m, q->n);
}
int main(void) {
    _Alignas(64) int la[4] = { 1, 2, 3, 4 };
    char lc[5] __attribute__((aligned(32))) = "abcd";
    _Alignas(64) double ld = 1.5;
    double *pd = &ld;
    static _Alignas(64) short ls = 3;
    short *ps = &ls;
    struct S s1 = { 9, 'z' }, *q1 = &s1;
    struct T t1 = { 9, 8, 7 }, *q2 = &t1;
    wide w = 3, *pw = &w;
    static wide sv; wide *sw = &sv;
    check(ga, 64); check(&gb, 32); check(gc, 64); check(gs, 32); check(&gs[1], 32); check(&gt, 64); check(&gt.m, 64);
    printf("%d\n", (int)((unsigned long)la % 64 + (unsigned long)pd % 64));
    check(&gu, 128); check(&gw, 256); check(message, 512);
    check(la, 64); check(lc, 32); check(pd, 64); check(ps, 64); check(q1, 32); check(q2, 64); check(&q2->m, 64); check(pw, 256); check(sw, 256);
    printf("%zu %zu %zu %zu %zu\n", sizeof(struct S), sizeof(struct T), sizeof(struct Q), sizeof(union U), _Alignof(wide));
    printf("%d %d %d %s %d %d %d %d\n", gb, gs[1].x, gs[1].c, gc, gt.m, gq.p.a[1], gq.y, gw);
    int count = 0;
    printf("%d ", rec(5, &count)); printf("%d\n", count);
    passed(s1, t1); passed(*q1, *q2);
    for (int i = 1; i < 3; i++) {
        _Alignas(64) char v[3];
        char *pv = v;
        v[0] = i;
        check(pv, 64);
        printf("%d %s %g %d\n", v[0], lc, *pd, la[3] + *ps);
    }
    int n = 3;
    _Alignas(64) char vla[n];
    vla[1] = 4;
    check(vla, 64);
    struct S *h = malloc(sizeof *h * 2);
    h[1] = s1; h[0] = h[1]; printf("%d\n", h[0].x); free(h);
    struct T copy = *q2; copy.m++; struct T *pc = &copy; check(pc, 64); printf("%d %s\n", pc->m, message);
    printf("%d checks\n", checks);
    return vla[1] + w;
}
