// Names of types that variables, parameters, tags and constants hide.
// why: whether a name denotes a type depends on the scope, and on the position after a type.
// expect: 3
// expect: 2 9 44 12 9 5
// expect: 8
// expect: 4 7 1
// status: 3
#include <stdio.h>
typedef int T;
static T x = 1;
static int a(T T) { return T + 1; }
static int b(void) { T y = 2; { T T = 3; y += T; } T z = 4; return y + z; }
static int c(void) { typedef char T; T t = 300; return t; }
struct T { T T; };
static int d(struct T s) { return s.T; }
static int e(void) { enum { T = 9 }; return T; }
struct node { int size; };
typedef struct node node;
static int f(void *p) { node *node = p, n = *node; return node->size = n.size + (int)sizeof(*node) - 1; }
static int g(node *p) { for (node *node = p ? p : (void *)node; node->size < 7; node->size++); return p->size; }
int main(void) {
    extern int late;
    int x = 5;
    { extern int late; int x = late; printf("%d\n", x); }
    struct T s = { 12 };
    printf("%d %d %d %d %d %d\n", a(1), b(), c(), d(s), e(), x);
    { T x = x = 8; printf("%d\n", x); }
    node n = { 1 };
    printf("%d ", f(&n));
    printf("%d %d\n", g(&n), (int)sizeof(node) / 4);
    return late;
}
int late = 3;
int use(void) { return x; }
