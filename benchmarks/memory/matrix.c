#include <stdlib.h>

static void multiply(double *a, double *b, double *c, int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
    }
}

int work(int n) {
    double *a = malloc(n * n * sizeof *a);
    double *b = malloc(n * n * sizeof *b);
    double *c = malloc(n * n * sizeof *c);
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
    }
    multiply(a, b, c, n);
    double trace = 0;
    for (int i = 0; i < n; i++)
        trace += c[i * n + i];
    free(a);
    free(b);
    free(c);
    return (int)trace;
}
