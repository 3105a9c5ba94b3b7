// Cases that run into the next one.
// why: such a case is reached by two edges, with different values of `r`.
// expect: 111 110 100 11000 11000 10000 end
#include <stdio.h>

int f(int n) {
    int r = 0;
    switch (n) {
        case 0: r += 1;
        case 1: r += 10;
        case 2: r += 100; break;
        case 3:
        case 4: r += 1000;
        default: r += 10000;
    }
    return r;
}

int main(void) {
    for (int n = 0; n < 6; n++) printf("%d ", f(n));
    printf("end\n");
    return 0;
}
