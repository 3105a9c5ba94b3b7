// Ranges in initialisers that overlap, with values that are computed once.
// why: the rest of a range keeps its value if a later range replaces its first element.
// expect: 0 9 9 9 11 11 11 11 3 3 3 0
// expect: 0 1 8 3 7 8 5 0 8 3 7 8
// expect: 3 calls
#include <stdio.h>

struct pair {
    int a, b;
};

static int calls;

static int call(void) { return ++calls; }

int main(void) {
    int e = call();
    int a[12] = {[1 ... 5] = 9, [6 ... 10] = call() + e, [4 ... 7] = e + 10};
    struct pair p[4] = {[0 ... 3] = {call(), 7}, [0] = {.b = 1}, [2] = {5}};
    int q[4] = {[0 ... 3] = call(), [0 ... 3] = 8};
    for (int i = 0; i < 12; i++) {
        printf("%d%c", a[i], i < 11 ? ' ' : '\n');
    }
    for (int i = 0; i < 4; i++) {
        printf("%d %d %d%c", p[i].a, p[i].b, q[i], i < 3 ? ' ' : '\n');
    }
    printf("%d calls\n", calls);
}
