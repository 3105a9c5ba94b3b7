// An assertion that fails.
// why: it aborts; the message goes to standard error.
// expect: 3
// expect: 2
// expect: 1
// expect: 0
// status: abort
#include <assert.h>
#include <stdio.h>

int main(void) {
    for (int n = 3; n > -2; n--) {
        printf("%d\n", n);
        assert(n > 0);
    }
    return 0;
}
