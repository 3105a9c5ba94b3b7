// Structs that are copied from memory, to memory, from calls and to calls, some of them partly written.
// why: the copies become loads and stores of their fields; a field that was never written is no error if it is not used.
// expect: 44
// expect: 6 5 2.5
// expect: 8 14 4
// expect: 501 2 -5
// expect: 1 -3 7
// expect: 6 4 5
// expect: 21 12
#include <stdio.h>
#include <stdlib.h>

struct point {
    int x, y;
};

struct value {
    char kind;
    int number;
    double real;
};

struct flags {
    unsigned a : 3;
    int b : 5;
    unsigned : 4;
    unsigned c : 1;
    char d;
};

struct box {
    struct point corners[2];
    struct value value;
};

static struct point made(int x) {
    struct point p;
    p.x = x;
    return p;
}

static struct point doubled(struct point p) {
    p.x *= 2;
    p.y *= 2;
    return p;
}

static int sum(struct point *q, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        struct point p = q[i];
        s += p.x * p.y;
        p.x++;
        q[i] = p;
    }
    return s;
}

static double evaluated(struct value *v) {
    struct value w = *v, u;
    u = w;
    if (u.kind == 'n') return u.number;
    *v = u;
    return v->real;
}

static int bits(int n) {
    struct flags f = {1}, g;
    g = f;
    for (int i = 0; i < n; i++) {
        g.a += 3;
        g.b -= 7;
        g.c = !g.c;
        g.b++;
        f = n % 2 ? g : f;
    }
    printf("%d ", f.a * 100 + f.b * 10 + f.c);
    f.a = 11;
    f.b = 27;
    return f.a * 1000 + f.b;
}

int main(void) {
    struct point a[3] = {{1, 2}, {3, 4}, {5, 6}};
    printf("%d\n", sum(a, 3));
    struct value v, *h = malloc(2 * sizeof *h);
    v.kind = 'n';
    v.number = 5;
    h[0].kind = 'r';
    h[0].real = 2.5;
    h[1] = h[0];
    printf("%d %g %g\n", a[2].x, evaluated(&v), evaluated(h + 1));
    struct point p = made(4);
    p.y = 7;
    struct point r = doubled(p);
    printf("%d %d %d\n", r.x, r.y, p.x);
    int b = bits(9);
    printf("%d %d\n", b / 1000, b % 1000 - 1000 * (b % 1000 > 500));
    struct flags *g = malloc(sizeof *g);
    g->b = -3;
    g->a = 9;
    g->d = 7;
    g->c = 1;
    printf("%d %d %d\n", g->a, g->b, g->d);
    struct point q = r.x > 3 ? a[1] : p, t = r.x > 9 ? made(3) : q;
    q.x += 2;
    t.y += 1;
    printf("%d %d %d\n", q.x, q.y, t.y);
    struct box box, other;
    box.corners[1] = a[2];
    box.corners[0].x = 9;
    box.value = h[0];
    other = box;
    a[0] = other.corners[1];
    h[1] = other.value;
    printf("%d %d\n", other.corners[0].x + a[0].y * 2, (int)(h[1].real * 4) + 2);
    free(h);
    free(g);
    return 0;
}
