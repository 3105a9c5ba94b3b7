// Cases inside of `while`, `for` and `do` loops.
// why: loops that are entered in their middle; each is irreducible.
// expect: 333 1039 8
// expect: 332 1033 7
// expect: 433 -1 8
// expect: 0 1033 8
#include <stdio.h>

int in_while(int n, int k) {
    int r = 0;
    switch (n) {
        case 0:
            while (k > 0) {
                r += 1;
        case 1:
                r += 10;
                k--;
        case 2:
                r += 100;
            }
    }
    return r;
}

int in_for(int n, int k) {
    int r = 0;
    switch (n) {
        case 0:
            for (r = 5; k > 0; k--) {
                r += 1;
                if (k == 2) continue;
        default:
                r += 10;
                if (r > 40) break;
            }
            r += 1000;
            break;
        case 2:
            r = -1;
    }
    return r;
}

int in_do(int n, int k) {
    int r = 0;
    switch (n) {
        default:
            do {
                r += 1;
        case 1:;
            } while (r++ < k);
    }
    return r;
}

int main(void) {
    for (int n = 0; n < 4; n++) {
        printf("%d %d %d\n", in_while(n, 3), in_for(n, 4), in_do(n, 6));
    }
    return 0;
}
