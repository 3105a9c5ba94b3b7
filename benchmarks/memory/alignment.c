enum { SIZE = 1000 };

static int best[SIZE + 1][SIZE + 1];
static char first[SIZE], second[SIZE];

static int minimum(int a, int b) { return a < b ? a : b; }

static int distance(int n) {
    for (int i = 0; i <= n; i++) {
        best[i][0] = i;
        best[0][i] = i;
    }
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            int changed = best[i - 1][j - 1] + (first[i - 1] == second[j - 1] ? 0 : 1);
            int shorter = best[i - 1][j] < best[i][j - 1] ? best[i - 1][j] + 1 : best[i][j - 1] + 1;
            best[i][j] = minimum(changed, shorter);
        }
    return best[n][n];
}

int work(int n) {
    unsigned seed = 42;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        first[i] = 'a' + (seed >> 16) % 4;
        second[i] = 'a' + (seed >> 20) % 4;
    }
    int sum = 0;
    for (int length = n - 15; length <= n; length++)
        sum += distance(length);
    return sum;
}
