// Control enters a loop at a label inside of it, from behind the loop.
// why: the ranges of `fuel` are those of all paths, although control reaches the label after its turn in a round.
// expect: .-1
#include <stdio.h>
static int numbers[2] = {3, 1};
int main(void) {
    int fuel = 0, n = 0;
    if (numbers[0]) {
        do {
            n = numbers[fuel & 1];
            if (n > 5) printf("!");
        l0:
            printf(".");
        } while (fuel-- > 0 && n != fuel);
    }
    printf("%d\n", fuel % 10);
    if (fuel-- > 0) goto l0;
    return 0;
}
