// A function without a value returns the call of another one.
// why: gcc takes that, and evaluates the call.
// expect: one
// expect: two
// expect: three
#include <stdio.h>

void show(int n) {
    if (n == 1) return (void)puts("one");
    return n == 2 ? (void)puts("two") : (void)puts("three");
}

void pass_on(int n) {
    return show(n);
}

int main(void) {
    pass_on(1);
    pass_on(2);
    pass_on(3);
    return 0;
}
