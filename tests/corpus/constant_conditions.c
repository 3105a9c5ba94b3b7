// Branches on constants.
// why: one arm is dead, but a label in it may be alive.
// expect: 2
// expect: 7
// expect: 11
// expect: 12
#include <stdio.h>

int main(void) {
    int a = 1;
    if (1) a = 2; else a = 3;
    if (0) a = 4;
    if ('\0') a = 5;
    if (0.0) a = 6;
    printf("%d\n", a);
    goto inside;
    if (0) {
    inside:
        a = 7;
    }
    printf("%d\n", a);
    while (1) {
        if (a++ > 9) break;
    }
    printf("%d\n", 1 && 0 || 1 ? a : -a);
    switch (3) {
        case 2: a = 0;
        case 3: a++;
    }
    printf("%d\n", a);
    return 0;
}
