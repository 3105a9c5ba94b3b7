// How many prime numbers there are up to n: a loop within a loop, with a way out of its middle.
int primes(int n) {
    int count = 0;
    for (int i = 2; i <= n; i = i + 1) {
        int prime = 1;
        for (int d = 2; d * d <= i; d = d + 1) {
            if (i % d == 0) {
                prime = 0;
                break;
            }
        }
        count = count + prime;
    }
    return count;
}
