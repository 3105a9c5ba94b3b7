// Old-style definitions and calls without a prototype.
// why: the caller promotes the arguments, and the function converts them back.
// expect: 100 -65534 3 16 9 5
#include <stdio.h>
int f(a, b, c) int a; char *b; double c; { return a + *b + (int)c; }
int g(a, b) short a; float b; { a += 1; return a * 2 + (int)(b * 4); }
static int first(p, n) int p[]; int n; { return p[n]; }
int h();
int call(f) int f(); { return f(3); }
int main() {
    char c = 'a';
    int v[3] = { 1, 2, 3 };
    int (*p)() = g;
    printf("%d %d %d %d %d %d\n", f(1, &c, 2.5), g(32767, 0.5f), first(v, 2), h(4), call(h), p(1, 0.25));
    return 0;
}
int h(x) int x; { return x * x; }
