// The sieve of Eratosthenes, of variable length.
// why: an array whose length is a parameter; the work of a loop over memory.
// expect: 0 10 168
#include <stdbool.h>
#include <stdio.h>

static int primes_below(int n) {
    bool composite[n];
    int found = 0;
    for (int i = 0; i < n; i++) composite[i] = i < 2;
    for (int i = 2; i < n; i++) {
        if (composite[i]) continue;
        found++;
        for (int j = i * i; j < n; j += i) composite[j] = true;
    }
    return found;
}

int main(void) {
    printf("%d %d %d\n", primes_below(2), primes_below(30), primes_below(1000));
    return 0;
}
