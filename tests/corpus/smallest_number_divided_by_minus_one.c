// INT_MIN / -1.
// why: the quotient does not fit: a runtime error, as the trap of x86-64.
// expect: -2147483648
// status: error
#include <limits.h>
#include <stdio.h>

int main(void) {
    int divisor = 1;
    for (int i = 0; i < 2; i++) {
        printf("%d\n", INT_MIN / divisor);
        divisor = -divisor;
    }
    return 0;
}
