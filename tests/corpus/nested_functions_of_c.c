// Nested functions of GNU C use variables, parameters and arrays of the functions around them.
// why: such a variable is in memory, and its pointer is a free value of the nested function.
// expect: 10 12005 412
// expect: 11
// expect: 4
// expect: 21 66
// expect: -1
// expect: 4 3
// expect: 0 2 4 
#include <stdio.h>
struct point { int x, y; };
static int apply(int (*f)(int), int x) { return f(x); }
static int total(int n, int values[n]) {
    int sum = 0;
    void add(int i) { sum += values[i]; }
    for (int i = 0; i < n; i++) add(i);
    return sum;
}
static int fact(int n) {
    int steps = 0;
    int go(int k) { steps++; return k < 2 ? 1 : k * go(k - 1); }
    int r = go(n);
    return r * 100 + steps;
}
static int outer(int a) {
    int b = a + 1; struct point p = {a, b}; int arr[3] = {1, 2, 3};
    int middle(int c) {
        int d = c + b;
        int inner(int e) { p.x += e; arr[1] += d; return a + b + c + d + e; }
        return inner(1) + inner(2);
    }
    int r = middle(10);
    { int b = 100; int other(void) { return b++ + p.y; } r += other() + other() + b; }
    return r + p.x + arr[1];
}
static int vla(int n) {
    int a[n]; int m[n][n + 1];
    int get(int i) { return a[i] + m[i][i] + (int)(sizeof a / sizeof a[0]) + (int)sizeof m[0]; }
    for (int i = 0; i < n; i++) { a[i] = i * i; for (int j = 0; j <= n; j++) m[i][j] = 10 * i + j; }
    return get(n - 1);
}
int main(void) {
    int v[] = {1, 2, 3, 4};
    int twice(int x) { static int calls; calls++; return 2 * x + calls; }
    int size = 10;
    int loop(void) { int s = 0; for (int i = 0; i < size; i++) { if (i == 7) return s; s += i; } return -1; }
    printf("%d %d %d\n", total(4, v), fact(5), outer(3));
    printf("%d\n", apply(twice, 5)); printf("%d\n", twice(1)); printf("%d %d\n", loop(), vla(4));
    size = 3; printf("%d\n", loop());
    struct point mk(int k) { struct point q = {k, size}; return q; }
    printf("%d %d\n", mk(4).x, mk(5).y);
    int i = 0; again: ; int j = i * 2; int see(void) { return j; } if (i++ < 3) { printf("%d ", see()); goto again; } puts("");
    return 0;
}
