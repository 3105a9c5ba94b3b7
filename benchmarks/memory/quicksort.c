#include <stdlib.h>

static void sort(int *a, int low, int high) {
    int i = low, j = high, pivot = a[(low + high) / 2];
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (pivot < a[j])
            j--;
        if (i <= j) {
            int x = a[i];
            a[i] = a[j];
            a[j] = x;
            i++;
            j--;
        }
    }
    if (low < j)
        sort(a, low, j);
    if (i < high)
        sort(a, i, high);
}

int work(int n) {
    int *a = malloc(n * sizeof *a);
    unsigned seed = 42;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        a[i] = seed >> 8;
    }
    sort(a, 0, n - 1);
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum = (sum * 31 + a[i]) % 1000003;
    free(a);
    return sum;
}
