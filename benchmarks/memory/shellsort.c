#include <stdlib.h>

static void sort(int *a, int n) {
    for (int gap = n / 2; gap > 0; gap /= 2)
        for (int i = gap; i < n; i++) {
            int x = a[i], j = i;
            while (j >= gap && a[j - gap] > x) {
                a[j] = a[j - gap];
                j -= gap;
            }
            a[j] = x;
        }
}

int work(int n) {
    int *a = malloc(n * sizeof *a);
    unsigned seed = 42;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        a[i] = seed >> 8;
    }
    sort(a, n);
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum = (sum * 31 + a[i]) % 1000003;
    free(a);
    return sum;
}
