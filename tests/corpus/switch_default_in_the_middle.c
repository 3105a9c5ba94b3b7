// `default` stands before other cases, and falls through.
// why: where it stands says nothing about when it is taken.
// expect: 15 30 5 15 7 15 end
#include <stdio.h>

int f(int n) {
    int r = 1;
    switch (n) {
        case 1: r *= 2;
        default: r *= 3;
        case 2: r *= 5; break;
        case 4: r *= 7;
    }
    return r;
}

int main(void) {
    for (int n = 0; n < 6; n++) printf("%d ", f(n));
    printf("end\n");
    return 0;
}
