// Bit-fields, flexible array members, anonymous structs in unions, records as values.
// why: layout and values are those of gcc on x86-64.
// expect: 4 14 1 -5 16
// expect: hello 5 4
// expect: 0 1072693248 4607182418800017408
// expect: 2 1 2 0
#include <stdio.h>
#include <stddef.h>
#include <string.h>
#include <stdlib.h>
struct bits { unsigned a : 3; int b : 5; unsigned : 0; _Bool c : 1; long d : 40; };
struct flexible { int n; char text[]; };
typedef union { double d; unsigned long u; struct { unsigned low, high; }; } number;
static struct flexible *make(const char *s) {
    struct flexible *f = malloc(sizeof *f + strlen(s) + 1);
    f->n = (int)strlen(s);
    strcpy(f->text, s);
    return f;
}
struct pair { int x, y; };
static struct pair swap(struct pair p) { return (struct pair){ .x = p.y, .y = p.x }; }
int main(void) {
    struct bits b = { 9, -17, 1, -5 };
    b.a += 3; b.b--;
    printf("%d %d %d %ld %d\n", b.a, b.b, b.c, (long)b.d, (int)sizeof b);
    struct flexible *f = make("hello");
    printf("%s %d %d\n", f->text, f->n, (int)offsetof(struct flexible, text));
    free(f);
    number v = { 1.0 };
    printf("%u %u %lu\n", v.low, v.high, v.u);
    struct pair p = swap((struct pair){ 1, 2 }), q[2] = { p, { 5 } };
    printf("%d %d %d %d\n", p.x, p.y, q[0].x, q[1].y);
    return 0;
}
