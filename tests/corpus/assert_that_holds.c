// Assertions that hold.
// why: the condition may be of any scalar type, and has its effects.
// expect: 4
#include <assert.h>
#include <stdio.h>

int main(void) {
    int n = 3;
    assert(n == 3);
    assert(n++);
    assert(0.5);
    assert('a' < 'b' && n == 4);
    assert(!(n > 5));
    printf("%d\n", n);
    return 0;
}
