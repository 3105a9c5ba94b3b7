// How many primes there are up to n, by trial division: examples/primes.c.
#include <stdbool.h>

bool is_prime(int n) {
    if (n < 2) return false;
    for (int divisor = 2; divisor * divisor <= n; divisor++) {
        if (n % divisor == 0) return false;
    }
    return true;
}

int work(int n) {
    int found = 0;
    for (int i = 0; i <= n; i++) {
        if (is_prime(i)) found++;
    }
    return found;
}
