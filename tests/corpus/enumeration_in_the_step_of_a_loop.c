// An enumeration that is declared in the step of a `for`, and hides a name in the body.
// why: the step is before the body in the source, though it is executed after it.
// expect: 1 1 0
#include <stdio.h>
enum { constant = 0 };
int main(void) {
    int n = 0;
    for (; n < 2; n++, (void)sizeof(enum { constant = 1 })) printf("%d ", constant);
    printf("%d\n", constant);
    return 0;
}
