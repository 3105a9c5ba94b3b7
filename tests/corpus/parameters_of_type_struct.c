// Structs that are passed by value, changed in loops, copied, returned, and passed through pointers to functions.
// why: a parameter is split into variables; only the copy that the caller passes is in memory.
// expect: 15 82 9 1 14
// expect: 176 52 31
// expect: 176 52 31
// expect: 31
#include <stdio.h>

struct point {
    int x, y;
};

struct line {
    struct point a, b;
    double w[3];
    short unused;
};

static int sum(struct point p) { return p.x + p.y; }

static int walk(struct line l, int n) {
    int s = 0;
    while (n-- > 0) {
        l.a.x += n;
        if (n & 1)
            l.b = l.a;
        s += l.b.x + (int)l.w[1];
    }
    return s;
}

static struct point turned(struct point p, struct point *old) {
    if (p.x > 3)
        *old = p;
    return (struct point){-p.y, p.x};
}

static int down(struct point p) { return p.x ? down((struct point){p.x - 1, p.y + p.x}) : p.y; }

static struct point same(struct point p) { return p; }

struct triple {
    unsigned a, b, c;
};

static struct triple made(void) { return (struct triple){176, 52, 31}; }

static void print(const struct triple *t) { printf("%u %u %u\n", t->a, t->b, t->c); }

int main(void) {
    int (*call)(struct point) = sum;
    struct point p = {7, 8}, old = {0, 0};
    struct line l = {{1, 2}, {3, 4}, {1.5, 2.5, 3.5}};
    int first = call(p);
    struct point q = turned(turned(same(p), &old), &p);
    printf("%d %d %d %d %d\n", first, walk(l, 6), down((struct point){3, 3}), q.x + p.x + 1, old.x + 7);
    struct triple t;
    t = ({ ({ made(); }); });
    print(&t);
    printf("%u\n", ({ struct triple u = made(); print(&u); u; }).c - ({ t; }).a + 176);
    return 0;
}
