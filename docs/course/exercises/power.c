// base to the n-th, by recursion.
int power(int base, int n) {
    if (n <= 0) {
        return 1;
    }
    int half = power(base, n / 2);
    if (n % 2 == 0) {
        return half * half;
    }
    return base * half * half;
}
