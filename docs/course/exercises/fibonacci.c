// The n-th Fibonacci number, by a loop in which two variables change places.
int fibonacci(int n) {
    int a = 0;
    int b = 1;
    while (n > 0) {
        int next = a + b;
        a = b;
        b = next;
        n = n - 1;
    }
    return a;
}
