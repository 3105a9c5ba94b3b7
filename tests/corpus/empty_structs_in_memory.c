// Structs and unions without fields, as variables in memory, parameters and results of functions.
// why: an object of no bytes has no fields that become variables.
// expect: 0 0 1
#include <stdio.h>
struct nothing {};
union none {} empty = {};
static union none give(struct nothing n, union none *where) { (void)n; *where = empty; return empty; }
int main(void) {
    union none a, b;
    struct nothing n;
    a = give(n, &b);
    b = a;
    printf("%d %d %d\n", (int)sizeof a, (int)sizeof n, &a == &a);
    return 0;
}
