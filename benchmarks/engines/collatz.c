// The longest way to 1 from a number up to n: examples/collatz.c in a loop.
int steps(long n) {
    int count = 0;
    while (n != 1) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        count++;
    }
    return count;
}

int work(int n) {
    int longest = 0;
    for (int start = 1; start <= n; start++) {
        int count = steps(start);
        if (count > longest) longest = count;
    }
    return longest;
}
