// `break` leaves the `switch`, `continue` goes on with the loop around it.
// why: the two have different targets here, and only here.
// expect: 532
#include <stdio.h>

int main(void) {
    int r = 0;
    for (int i = 0; i < 10; i++) {
        switch (i % 4) {
            case 0: continue;
            case 1: r += 1; break;
            case 2:
                while (1) {
                    r += 10;
                    if (r % 3) continue;
                    break;
                }
                break;
            default:
                if (i > 6) goto out;
        }
        r += 100;
    }
out:
    printf("%d\n", r);
    return 0;
}
