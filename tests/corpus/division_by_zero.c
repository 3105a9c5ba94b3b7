// A division by zero.
// why: a runtime error; what was printed before stays.
// expect: 50
// expect: 100
// status: error
#include <stdio.h>

int main(void) {
    for (int n = 2; n > -3; n--) printf("%d\n", 100 / n);
    return 0;
}
