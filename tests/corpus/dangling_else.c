// An `else` belongs to the nearest `if`.
// why: also through loops and labels without braces.
// expect: 1 2 3 4 5
// expect: 3
#include <stdio.h>

int f(int a, int b) {
    if (a)
        if (b) return 1;
        else return 2;
    if (b)
        while (b > 0)
            if (b-- == 3) return 3;
            else if (b == 1) return 4;
            else b--;
    else if (!a) return 5;
    return 6;
}

int main(void) {
    printf("%d %d %d %d %d\n", f(1, 1), f(1, 0), f(0, 3), f(0, 2), f(0, 0));
    printf("%d\n", f(0, 5));
    return 0;
}
