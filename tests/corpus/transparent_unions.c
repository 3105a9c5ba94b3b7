// Transparent unions of GNU C: a value of the type of a member is passed to a parameter of the type of the union.
// why: with _GNU_SOURCE, `bind`, `connect` and others take addresses of sockets so; the argument becomes a union.
// expect: 1 2 4 1 1 2
// expect: 7 5 3
#include <stdio.h>

struct a { int x; };
struct b { int x, y; };
typedef union { struct a *a; const struct b *b; char *text; } any __attribute__((transparent_union));
union number { int i; unsigned u; } __attribute__((__transparent_union__));

static int first(any p, int n) { return n ? p.a->x : p.a == 0; }
static int number(union number n) { return n.i; }

int main(void) {
    struct a a = {1};
    struct b b = {2, 3};
    char text[4] = "\4\0\0";
    any own = {&a};
    int (*f)(any, int) = first;
    void *p = &b;
    printf("%d %d %d %d %d %d\n", first(&a, 1), first(&b, 1), first(text, 1), first(own, 1), first(0, 0), f(p, 1));
    union number three = {3};
    printf("%d %d %d\n", number(7), number(5u), number(three));
    return 0;
}
