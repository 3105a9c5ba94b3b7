// A Fibonacci number by recursion: examples/fibonacci.c.
int fib(int n) {
    if (n < 2) return n;
    return fib(n - 1) + fib(n - 2);
}

int work(int n) {
    return fib(n);
}
