// Loops of all kinds in each other, left and continued from the inside.
// why: each `break` and `continue` belongs to the innermost loop.
// expect: 454 1848 3416 9836 9836
#include <stdio.h>

int main(void) {
    int sum = 0;
    for (int a = 0; a < 5; a++) {
        int b = 0;
        while (1) {
            if (b++ > 4) break;
            if (b == a) continue;
            int c = 10;
            do {
                c--;
                if (c == b) break;
                if (c & 1) continue;
                sum += a * 100 + b * 10 + c;
            } while (c > 2);
            if (sum % 7 == 0) break;
        }
        if (a == 3) continue;
        printf("%d ", sum);
    }
    printf("%d\n", sum);
    return 0;
}
