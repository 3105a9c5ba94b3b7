// Four variables are rotated in each round.
// why: a cycle of parameters, each of which receives its neighbour.
// expect: 13 4 1 12
#include <stdio.h>

int main(void) {
    int a = 1, b = 2, c = 3, d = 4;
    int i = 0;
    while (i < 6) {
        int t = a;
        a = b;
        b = c;
        c = d;
        d = t;
        if (i % 3 == 2) d += 10;
        i++;
    }
    printf("%d %d %d %d\n", a, b, c, d);
    return 0;
}
