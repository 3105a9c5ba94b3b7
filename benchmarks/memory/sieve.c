#include <stdlib.h>

int work(int n) {
    char *composite = calloc(n, 1);
    int count = 0;
    for (int i = 2; i < n; i++) {
        if (!composite[i]) {
            count++;
            for (int j = 2 * i; j < n; j += i)
                composite[j] = 1;
        }
    }
    free(composite);
    return count;
}
