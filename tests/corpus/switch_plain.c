// A `switch` whose cases all end in `break`, called for each value.
// why: the ordinary form; values in no order, and without a case.
// expect: -1 10 20 30 -1 end
#include <stdio.h>

int f(int n) {
    int r = 0;
    switch (n) {
        case 3: r = 30; break;
        case 1: r = 10; break;
        case 2: r = 20; break;
        default: r = -1; break;
    }
    return r;
}

int main(void) {
    for (int n = 0; n < 5; n++) printf("%d ", f(n));
    printf("end\n");
    return 0;
}
