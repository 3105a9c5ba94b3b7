// A `main` in the old style, whose parameter counts the words of the command line.
// why: the parameter of an old-style definition without a declaration is an `int`.
// expect: 1 2 3
#include <stdio.h>
static int limit = 3;
int main(n) {
    printf("%d%c", n, n < limit ? ' ' : '\n');
    if (n < limit) main(n + 1);
    return 0;
}
