enum { SIZE = 400 };

static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

static void multiply(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

int work(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i][j] = (i + 2 * j) % 7;
            b[i][j] = (i * j) % 5;
        }
    multiply(n);
    double trace = 0;
    for (int i = 0; i < n; i++)
        trace += c[i][i];
    return (int)trace;
}
