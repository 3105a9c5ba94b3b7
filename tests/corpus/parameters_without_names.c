// Parameters of definitions without names (C23, and GNU C): they have no variable, but take arguments.
// why: the others keep their positions, also beside structs, arrays and variable arguments.
// expect: 2 3 4 6
#include <stdarg.h>
#include <stdio.h>
struct pair { int x, y; };
static int second(int, int b, char *, struct pair) { return b; }
static int first(int a, ...) { return a; }
static int length(int n, int, double[n]) { return n; }
static int last(int n, int, ...) {
    va_list list;
    va_start(list, n);
    int x = 0;
    while (n--) x = va_arg(list, int);
    va_end(list);
    return x;
}
int main(int, char **) {
    printf("%d %d %d ", second(1, 2, 0, (struct pair){ 1, 2 }), first(3, 4), length(4, 5, (double[4]){ 0 }));
    printf("%d\n", last(2, 0, 5, 6));
    return 0;
}
