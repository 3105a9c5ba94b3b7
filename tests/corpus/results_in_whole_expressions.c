// Pointers into the results of calls, which exist during the evaluation of the whole expression with the call.
// why: each evaluation allocates the result, also within loops and conditions, and no correct use is an error.
// expect: 3 26 bbc cbc
// expect: 204 20
// expect: 14 3 20
// expect: 22 7
// expect: 24 5 5
// expect: 0 2 4 6 8 w1 w0 d-1 d0 d1 d2 else
// expect: two
// expect: 5 10 3
// expect: 7 20 62
// expect: k0 k2 k3 m2
// status: 3
#include <stdio.h>

struct s { int n, a[4]; };
struct w { struct s in[2]; char name[8]; };
struct p { int *to; };

static struct s f(int x) { struct s r = {x, {x, x + 1, x + 2, x + 3}}; return r; }
static struct w g(int x) { struct w r = {{f(x), f(x + 10)}, "abc"}; r.name[0] += x; return r; }
static struct p wrapped(int *p) { struct p r = {p}; return r; }
static int sum(const int *p, int n) { int t = 0; for (int i = 0; i < n; i++) t += p[i]; return t; }
static int *same(int *p) { return p; }
static int first(struct s v) { return v.a[0] + v.n; }
static int two(int *p, int *q) { return p[1] * 100 + q[2]; }
static int element(int i) { return same(f(3).a)[i]; }
static struct s copied(void) { return *(struct s *)(f(9).a - 1); }
static int lengths(int n, int b[][*same(f(n).a)]) { return b[1][0]; }
static void evaluated(void) { return (void)*same(f(1).a); }

int main(void) {
    int i = 2, b[2][2] = {{1, 2}, {3, 4}}, n = 0;
    printf("%d %d %s %s\n", f(1).a[i], sum(f(5).a, 4), g(1).name, g(2).name);
    printf("%d %d\n", two(f(1).a, f(2).a), first(f(sum(f(1).a, 4))));
    printf("%d %d %d\n", (f(1).a[2] = 5) + f(1).a[i]++ + (f(2).a[i - 1] += 3), *&f(2).a[1], *&g(7).in[1].a[i + 1]);
    printf("%d %d\n", sum(f(f(sum(f(1).a, 2)).a[1]).a, 4), *wrapped(f(7).a).to);
    int x = i ? sum(f(7).a, 3) : sum(f(8).a, 2), z[2] = {same(f(4).a)[1], *same(f(5).a)};
    printf("%d %d %d\n", x, z[0], z[1]);
    for (int k = same(f(0).a)[0]; sum(f(k).a, 2) < 20; k += *same(f(2).a)) printf("%d ", k);
    while ((i-- > 0 && sum(f(i).a, 1) >= 0) || (!sum(f(0).a, 1) && i > 5)) printf("w%d ", i);
    do printf("d%d ", i); while (++i < *same(f(3).a));
    if (sum(f(1).a, 1) == 2) puts("then"); else if (*same(f(1).a)) puts("else");
    switch (*same(f(2).a)) { case 2: puts("two"); break; default: puts("other"); }
    evaluated();
    printf("%d %d %d\n", element(2), copied().a[1], lengths(2, b));
    int q = ({ int t = sum(f(1).a, 2); for (int j = 0; j < 3; j++) t += *same(f(j).a); t + *same(f(1).a); });
    int s = sum(({ struct s v = f(4); v.a[1] = 7; v; }).a, 2) + sum((i ? f(1) : f(2)).a, 2) + sum((0, f(6)).a, 1);
    printf("%d %d %d\n", q, s, sum(g(3).in[1].a, 4) + *g(1).in[0].a + g(2).in->a[1]);
    for (int k = 0; k < 9; k++) {
        if (*same(f(k).a) == 1) continue;
        if (k && *same(f(k).a) == 4) break;
        printf("k%d ", k);
    }
again:
    if (n++ < 2) {
        int m = ({ if (*same(f(n).a) == 1) goto again; *same(f(n).a); });
        printf("m%d\n", m);
        goto again;
    }
    return *same(f(3).a);
}
