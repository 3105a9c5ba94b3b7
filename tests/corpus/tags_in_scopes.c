// Structs, unions and enumerations, nested, anonymous, and with equal tags in inner scopes.
// why: tags have scopes and a name space of their own; an incomplete type is completed later.
// expect: 0 5 6 -1
// expect: 6 121 7
// expect: 2 4 4 6 16
// expect: blue
// expect: 4
#include <stdio.h>
enum color { RED, GREEN = RED + 5, BLUE, LAST = -1 };
struct node { struct node *next; int value; };
static int sum(struct node *n) { int s = 0; for (; n; n = n->next) s += n->value; return s; }
struct outer { struct inner { int a, b; } in; enum kind { K1 = 3, K2 } kind; union { int i; unsigned char c[4]; }; };
static int shadow(void) { struct node { char c; } n = { 'x' }; return n.c + (int)sizeof(struct node); }
static int inner_enum(void) { enum color { RED = 7 }; { enum { RED = 11 }; if (RED != 11) return 0; } return RED; }
int main(void) {
    struct node third = { 0, 3 }, second = { &third, 2 }, first = { &second, 1 };
    struct outer o = { { 1, 2 }, K2, { 0x01020304 } };
    enum color c = BLUE;
    struct inner i = o.in;
    printf("%d %d %d %d\n", RED, GREEN, BLUE, LAST);
    printf("%d %d %d\n", sum(&first), shadow(), inner_enum());
    printf("%d %d %d %d %d\n", i.b, o.kind, o.c[0], c, (int)sizeof o);
    switch (c) { case BLUE: printf("blue\n"); break; default: break; }
    struct { int x; } anonymous = { 4 }, *p = &anonymous;
    printf("%d\n", p->x);
    return 0;
}
