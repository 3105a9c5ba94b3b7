// The length of an array parameter is evaluated when the function starts, though the parameter is a pointer.
// why: C evaluates the length, and discards it.
// expect: 11 1 10
#include <stdio.h>
static int calls;
static int next(void) { return ++calls; }
static int first(int n, int a[n++]) { a[0] = n; return n; }
static int second(int n, int a[static next()][n], int (*f)(int a[n++])) { (void)a; (void)f; return n; }
int main(void) {
    int a[10], b[1][10];
    int n = first(10, a), m = second(10, b, 0);
    printf("%d %d %d\n", n, calls, m);
    return 0;
}
