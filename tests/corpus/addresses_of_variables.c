// Variables whose addresses are taken, beside others.
// why: only the former are in memory; pointers to pointers, to parameters and to results.
// expect: 13 6 9 2 6 30 0 1
#include <stdio.h>

static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

static int *larger(int *a, int *b) {
    return *a > *b ? a : b;
}

static void divide(int n, int d, int *quotient, int *rest) {
    *quotient = n / d;
    if (rest) *rest = n % d;
}

static int count(int n, int **last) {
    int own = n * n;
    static int kept;
    kept = own;
    if (n == 0) *last = &kept;
    return n == 0 ? 0 : own + count(n - 1, last);
}

int main(void) {
    int a = 3, b = 4, q, r, *p = &a, **pp = &p, plain = 0;
    swap(&a, &b);
    *larger(&a, &b) += 10;
    divide(47, 5, &q, &r);
    divide(47, 7, &plain, NULL);
    **pp -= 1;
    *pp = &b;
    *p *= 2;
    printf("%d %d %d %d %d ", a, b, q, r, plain);
    int total = count(4, &p);
    printf("%d %d %d\n", total, *p, p != &a && pp == &p);
    return 0;
}
