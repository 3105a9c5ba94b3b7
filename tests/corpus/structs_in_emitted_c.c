// Structs by value: changed by the callee, passed twice, kept by address, and returned in loops.
// why: emitted C passes them by value, and pointers to these functions point to others, which take pointers.
// expect: 3 1 103 1
// expect: 6 24 720
// expect: 5 7 9 5
// expect: 1.5 abc 2
// expect: 8 8 3
#include <stdio.h>

struct pair {
    int a, b;
};

struct text {
    double d;
    char s[20];
    struct pair p;
};

union number {
    float f;
    unsigned u;
};

static struct pair twice(struct pair p, struct pair *kept) {
    static struct pair last = {3, 100};
    struct pair *own = &p;
    own->a += last.a;
    *kept = *own;
    last.b += own->a;
    own->b = last.b;
    return *own;
}

static struct pair product(int n) {
    struct pair result = {1, 0};
    for (int i = 1; i <= n; i++) {
        result = (struct pair){result.a * i, i};
        if (result.a > 700)
            return result;
    }
    return result;
}

static struct pair swapped(struct pair p) { return (struct pair){p.b, p.a}; }
static struct pair same(struct pair p) { return p; }

static struct text filled(struct text t, struct pair (*change)(struct pair)) {
    t.d += 0.5;
    t.s[1] = 'b';
    t.p = change(t.p);
    return t;
}

static union number bits(union number n) {
    n.u += 1u << 23;
    return n;
}

static int sum(struct pair p, struct pair q, int n, struct pair r) { return p.a + q.b + n + r.a; }

int main(void) {
    struct pair p = {0, 1}, kept;
    struct pair q = twice(p, &kept);
    printf("%d %d %d %d\n", kept.a, kept.b, q.b, p.b);
    printf("%d %d %d\n", product(3).a, product(4).a, product(10).a);
    struct pair (*table[2])(struct pair) = {swapped, same};
    struct pair r = table[0]((struct pair){7, 5}), s = table[1]((struct pair){9, 5});
    printf("%d %d %d %d\n", r.a, r.b, s.a, swapped(swapped(r)).a);
    struct text t = filled((struct text){1, "a-c", {1, 2}}, swapped);
    printf("%g %s %d\n", t.d, t.s, t.p.a);
    union number n = bits((union number){4.0f});
    printf("%g %d %d\n", n.f, sum(p, q, 3, r) - q.b, bits(bits((union number){0.75f})).f == 3 ? 3 : 0);
    return 0;
}
