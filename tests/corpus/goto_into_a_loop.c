// A jump into the body of `while`, `for` and `do`.
// why: a loop with two entries; the one by `goto` skips the condition and the first part.
// expect: 0 0 11
// expect: 33 16 33
// expect: 10 12 10
// expect: 32 14 32
#include <stdio.h>

int into_while(int n, int skip) {
    int r = 0;
    if (skip) goto middle;
    while (n > 0) {
        r += 1;
    middle:
        r += 10;
        n--;
    }
    return r;
}

int into_for(int n, int skip) {
    int r = 0, i = 1;
    if (skip) goto middle;
    for (i = 0; i < n; i++) {
        r += 1;
        if (r % 2) continue;
    middle:
        r += 10;
    }
    return r + i;
}

int into_do(int n, int skip) {
    int r = 0;
    if (skip) goto middle;
    do {
        r += 1;
    middle:
        r += 10;
    } while (--n > 0);
    return r;
}

int main(void) {
    for (int skip = 0; skip < 2; skip++) {
        for (int n = 0; n < 4; n += 3) {
            printf("%d %d %d\n", into_while(n, skip), into_for(n, skip), into_do(n, skip));
        }
    }
    return 0;
}
