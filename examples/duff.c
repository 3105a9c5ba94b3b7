// Duff's device: a loop unrolled eight times, entered in its middle by a `switch`.
//
// why: `case` inside of a loop that is inside of the `switch`: a loop with eight entries.
// expect: 0 9 18 27 36 45 54 63 72 81 90 99 1000
#include <stdio.h>

int count_to(int n) {
    int done = 0;
    int rounds = (n + 7) / 8;
    if (n <= 0) return 0;
    switch (n % 8) {
        case 0:
            do {
                done++;  // fall through
        case 7:
                done++;  // fall through
        case 6:
                done++;  // fall through
        case 5:
                done++;  // fall through
        case 4:
                done++;  // fall through
        case 3:
                done++;  // fall through
        case 2:
                done++;  // fall through
        case 1:
                done++;
            } while (--rounds > 0);
    }
    return done;
}

int main(void) {
    for (int n = 0; n <= 100; n += 9) {
        printf("%d ", count_to(n));
    }
    printf("%d\n", count_to(1000));
    return 0;
}
