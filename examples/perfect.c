// Perfect numbers: each is the sum of its proper divisors.
//
// why: a loop in a loop, with a sum that starts anew in each round of the outer one.
// expect: 6
// expect: 28
// expect: 496
#include <stdio.h>

int main(void) {
    for (int n = 2; n <= 500; n++) {
        int sum = 1;
        for (int d = 2; d * d <= n; d++) {
            if (n % d == 0) {
                sum += d;
                if (d != n / d) sum += n / d;
            }
        }
        if (sum == n) printf("%d\n", n);
    }
    return 0;
}
