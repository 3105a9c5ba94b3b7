// The Collatz conjecture: halve what is even, triple and add one to what is odd, and 1 is reached at last.
//
// why: a loop that nobody can bound, with a branch in it.
// expect: 1: 0
// expect: 2: 1
// expect: 3: 7
// expect: 4: 2
// expect: 5: 5
// expect: 6: 8
// expect: 7: 16
// expect: 8: 3
// expect: 9: 19
// expect: 27: 111
#include <stdio.h>

int steps(long n) {
    int count = 0;
    while (n != 1) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        count++;
    }
    return count;
}

int main(void) {
    for (int n = 1; n <= 9; n++) {
        printf("%d: %d\n", n, steps(n));
    }
    printf("27: %d\n", steps(27));
    return 0;
}
