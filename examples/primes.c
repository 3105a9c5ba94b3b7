// The primes below 60, by trial division.
//
// why: a loop that is left in the middle, by `return` and by `continue`.
// expect: 2 3 5 7 11 13 17 19 23 29 31 37 41 43 47 53 59 are 17 primes
#include <stdbool.h>
#include <stdio.h>

bool is_prime(int n) {
    if (n < 2) return false;
    for (int divisor = 2; divisor * divisor <= n; divisor++) {
        if (n % divisor == 0) return false;
    }
    return true;
}

int main(void) {
    int found = 0;
    for (int n = 0; n < 60; n++) {
        if (!is_prime(n)) continue;
        printf("%d ", n);
        found++;
    }
    printf("are %d primes\n", found);
    return 0;
}
