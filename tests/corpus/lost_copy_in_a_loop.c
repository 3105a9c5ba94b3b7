// The value of the last round is used after the loop, beside the one of this round.
// why: the lost-copy problem: `last` and `i` are two values, though one is a copy of the other.
// expect: 1 4 9
// expect: 4 5
#include <stdio.h>

int f(int n) {
    int last, i = 1;
    do {
        last = i;
        i = i + 1;
    } while (i < n);
    return last;
}

int main(void) {
    printf("%d %d %d\n", f(0), f(5), f(10));
    int previous = 0, current = 0;
    while (current < 5) {
        previous = current++;
    }
    printf("%d %d\n", previous, current);
    return 0;
}
