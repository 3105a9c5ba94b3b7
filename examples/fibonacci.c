// The Fibonacci numbers, recursively and in a loop.
//
// why: two calls in one expression, each with what comes after it as its continuation; and the same as a loop.
// expect: fib(0) = 0
// expect: fib(1) = 1
// expect: fib(2) = 1
// expect: fib(3) = 2
// expect: fib(4) = 3
// expect: fib(5) = 5
// expect: fib(6) = 8
// expect: fib(7) = 13
// expect: fib(8) = 21
// expect: fib(9) = 34
// expect: fib(10) = 55
// expect: fib(90) = 2880067194370816120
#include <stdio.h>

int fib(int n) {
    if (n < 2) return n;
    return fib(n - 1) + fib(n - 2);
}

unsigned long fast(int n) {
    unsigned long a = 0, b = 1;
    while (n-- > 0) {
        unsigned long next = a + b;
        a = b;
        b = next;
    }
    return a;
}

int main(void) {
    for (int n = 0; n <= 10; n++) {
        printf("fib(%d) = %d\n", n, fib(n));
    }
    printf("fib(90) = %lu\n", fast(90));
    return 0;
}
