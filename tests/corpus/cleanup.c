// The attribute `cleanup` of GNU C.
// why: the function is called wherever control leaves the scope, in reverse order, after the value of a `return`.
// expect: 2,0,2,2
// expect: 6,0,1,4,4
// expect: 10,5,15
// expect: text,0,1
// expect: 0,2-2,1,3
// expect: 0,1,text,2,5
// expect: 1-2,2
// expect: 7,7,6,5
#include <stdio.h>

struct pair {
    int a, b;
};

static void done(int *p) { printf("%d,", *p); }
static void done_pair(struct pair *p) { printf("%d-%d,", p->a, p->b); }
static void free_text(char **p) { printf("%s,", *p); }

static int jumps(int n) {
    __attribute__((cleanup(done))) int a = n;
    {
        int b __attribute__((__cleanup__(done))) = 2 * n;
        if (n > 3) return a + b;
    }
    for (int i = 0; i < 2; i++) {
        int c __attribute__((cleanup(done))) = i;
        if (i == 1) break;
        if (n == 1) goto out;
        continue;
    }
out:
    a++;
    return a;
}

static int again(int n) {
    int k = 0;
repeat:;
    int x __attribute__((cleanup(done))) = k;
    if (k++ < n) goto repeat;
    switch (n) {
    case 1: {
        struct pair p __attribute__((cleanup(done_pair))) = { n, k };
        p.a++;
        break;
    }
    default: {
        __attribute__((cleanup(free_text))) char *t = "text";
    }
    }
    return x + k;
}

static struct pair result(void) {
    __attribute__((cleanup(done_pair))) struct pair p = { 1, 2 };
    return p;
}

int main(void) {
    for (int n = 1; n < 6; n += 2) printf("%d\n", jumps(n));
    for (int n = 0; n < 3; n++) printf("%d\n", again(n));
    printf("%d\n", result().b);
    int v = ({
        int z __attribute__((cleanup(done))) = 7;
        z + 1;
    });
    while (v-- > 6) {
        int q __attribute__((cleanup(done))) = v;
        if (v == 7) continue;
    }
    printf("%d\n", v);
    return 0;
}
