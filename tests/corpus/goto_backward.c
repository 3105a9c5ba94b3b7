// Loops made of `goto` alone.
// why: a label is the head of a loop although no loop statement says so.
// expect: 5 10
// expect: ****
// expect: ***
// expect: **
// expect: *
#include <stdio.h>

int main(void) {
    int i = 0, sum = 0;
again:
    sum += i;
    i++;
    if (i < 5) goto again;
    printf("%d %d\n", i, sum);
outer:
    i--;
    int j = 0;
inner:
    if (j < i) {
        printf("*");
        j++;
        goto inner;
    }
    printf("\n");
    if (i > 1) goto outer;
    return 0;
}
