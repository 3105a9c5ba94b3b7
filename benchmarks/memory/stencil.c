enum { SIZE = 500 };

static double grid[SIZE][SIZE], next[SIZE][SIZE];

static void relax(int n) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            next[i][j] = 0.2 * (grid[i][j] + grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            grid[i][j] = next[i][j];
}

int work(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            grid[i][j] = i * j % 100;
    for (int step = 0; step < n / 2; step++)
        relax(n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += grid[i][n / 2];
    return (int)(1000 * sum);
}
