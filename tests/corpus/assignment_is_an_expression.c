// The value of an assignment is that of its target after the conversion.
// why: `a = c = 300` with a `char` in the middle gives 44; assignments group to the right.
// expect: 44 44
// expect: 8 3
// expect: 8
// expect: 3 2 1 -1
// expect: 3 3.0
#include <stdio.h>

int main(void) {
    int a, b;
    char c;
    a = c = 300;
    printf("%d %d\n", a, c);
    a = b = 5;
    a += b -= 2;
    printf("%d %d\n", a, b);
    printf("%d\n", (a = 7) + 1);
    int n = 3;
    while ((b = n--) > 0) printf("%d ", b);
    printf("%d\n", n);
    double d = a = 3.9;
    printf("%d %.1f\n", a, d);
    return 0;
}
