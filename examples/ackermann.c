// The Ackermann function.
//
// why: a call whose argument is a call of the same function; recursion deeper than its values are large.
// expect:   1  2  3  4  5
// expect:   2  3  4  5  6
// expect:   3  5  7  9 11
#include <stdio.h>

int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
    for (int m = 0; m <= 2; m++) {
        for (int n = 0; n <= 4; n++) {
            printf("%3d", ackermann(m, n));
        }
        putchar('\n');
    }
    return 0;
}
