enum { SIZE = 400 };

static int distance[SIZE][SIZE];

static void shorten(int d[SIZE][SIZE], int n) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (d[i][k] + d[k][j] < d[i][j])
                    d[i][j] = d[i][k] + d[k][j];
}

int work(int n) {
    unsigned seed = 42;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            seed = seed * 1664525 + 1013904223;
            distance[i][j] = i == j ? 0 : (seed >> 8) % 1000 + 1;
        }
    shorten(distance, n);
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum = (sum * 31 + distance[i][j]) % 1000003;
    return sum;
}
