// Greatest common divisors of all pairs of numbers up to n: examples/gcd.c in two loops.
int gcd(int a, int b) {
    while (b != 0) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a;
}

int work(int n) {
    int sum = 0;
    for (int a = 1; a <= n; a++) {
        for (int b = 1; b <= n; b++) sum += gcd(a, b);
    }
    return sum;
}
