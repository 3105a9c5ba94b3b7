// `__alignof__` of expressions: members, variables with attributes, converted pointers.
// why: the alignment is that of the declaration, and not of the type.
// expect:  1 1 1 8 1 2 8
// expect:  1 2 8 8 1 4 4
// expect:  1 4 4 2 2 4 2
// expect:  1 8 1 1 8
// expect:  32 16 1 8 16 4 1
// expect:  4 4 8 1 1 4 1
#include <stdio.h>

struct __attribute__((packed)) packed { char c; int i; struct { long l; } inner; short a[3]; int aligned __attribute__((aligned(8))); };
struct partly { char c; int i __attribute__((packed)); int j; };
union __attribute__((packed)) number { int i; double d; };
struct outer { struct packed packed; union number number; struct partly partly; };
#pragma pack(push, 2)
struct limited { char c; int i; struct partly partly; double d; };
#pragma pack(pop)
typedef int loose __attribute__((aligned(1)));
typedef int strict __attribute__((aligned(8)));
int global __attribute__((aligned(32)));
static _Alignas(16) char text[3];
strict number;

#define SHOW(x) printf(" %d", (int)__alignof__(x))

static void function(void) {}

int main(void) {
    struct packed p, *q = &p;
    struct partly part;
    struct outer o[2];
    struct limited limited;
    int local __attribute__((aligned(16))), array[2], *pointer = array;
    SHOW(p.c), SHOW(p.i), SHOW(p.inner), SHOW(p.inner.l), SHOW(p.a), SHOW(p.a[1]), SHOW(p.aligned), puts("");
    SHOW(q->i), SHOW(q->a[0]), SHOW((*q).aligned), SHOW(&q->i), SHOW(*&q->i), SHOW(q->i + 1), SHOW(1 ? q->i : 2), puts("");
    SHOW(part.i), SHOW(part.j), SHOW(part), SHOW(limited.i), SHOW(limited.d), SHOW(limited.partly.j), SHOW(limited), puts("");
    SHOW(o[1].packed.i), SHOW(o[1].packed), SHOW(o->number.d), SHOW(o->partly.i), SHOW(*o), puts("");
    SHOW(global), SHOW(text), SHOW(text[1]), SHOW(number), SHOW(local), SHOW(array), SHOW(loose), puts("");
    SHOW(*pointer), SHOW(*(loose *)pointer), SHOW(*(strict *)pointer), SHOW(function), SHOW(void), SHOW(int), SHOW("text"), puts("");
    return 0;
}
