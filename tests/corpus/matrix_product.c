// Products of matrices, by arrays of arrays and by pointers.
// why: two dimensions, as parameters with known and with variable length.
// expect: 1 2 6 4 5 12 7 8 18 trace 24
#include <stdio.h>

enum { N = 3 };

static void multiply(int n, int a[n][n], int b[n][n], int c[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
        }
    }
}

static int trace(int (*m)[N]) {
    int sum = 0;
    for (int i = 0; i < N; i++) sum += *(*(m + i) + i);
    return sum;
}

int main(void) {
    int a[N][N] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, b[N][N] = {[1] = {0, 1}, [0][0] = 1, [2][2] = 2}, c[N][N];
    multiply(N, a, b, c);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) printf("%d ", c[i][j]);
    }
    printf("trace %d\n", trace(c));
    return 0;
}
