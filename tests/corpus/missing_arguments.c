// Calls without a prototype that pass fewer arguments than the function has parameters.
// why: the missing arguments are undefined; a program may make such calls if it does not use them.
// expect: 6 4 9 -1
// expect: 0 12
#include <stdio.h>
struct pair { int x, y; };
int doubled();
int first(a, b) int a; double b; { return a; }
int of_pair(a, p) int a; struct pair p; { return a; }
int chosen(which, a, p) int which, a, *p; { return which ? a : -1; }
int main(void) {
    printf("%d %d %d %d\n", doubled(3), first(4), of_pair(9), chosen(0));
    printf("0 %d\n", chosen(1, 12));
    return 0;
}
int doubled(a, b) int a, b; {
    int *p = &b;
    *p = a;
    return a + b;
}
