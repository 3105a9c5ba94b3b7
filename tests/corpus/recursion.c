// Functions that call themselves, once or twice, last or not.
// why: what is pending at a call must be kept for after it.
// expect: 3628800 5050 56
// expect: 3 2 1 0 0 1 2 3 54321
#include <stdio.h>

int factorial(int n) {
    return n <= 1 ? 1 : n * factorial(n - 1);
}

int sum(int n, int accumulated) {
    if (n == 0) return accumulated;
    return sum(n - 1, accumulated + n);
}

int binomial(int n, int k) {
    if (k == 0 || k == n) return 1;
    return binomial(n - 1, k - 1) + binomial(n - 1, k);
}

void countdown(int n) {
    if (n < 0) return;
    printf("%d ", n);
    countdown(n - 1);
    printf("%d ", n);
}

int reverse(int n, int reversed) {
    return n ? reverse(n / 10, reversed * 10 + n % 10) : reversed;
}

int main(void) {
    printf("%d %d %d\n", factorial(10), sum(100, 0), binomial(8, 3));
    countdown(3);
    printf("%d\n", reverse(12345, 0));
    return 0;
}
