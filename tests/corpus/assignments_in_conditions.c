// Assignments and steps inside of conditions.
// why: the variable's new value holds in both arms and in the body.
// expect: 18 9 4 2 1
// expect: 6
// expect: 5
// expect: 2 1 0 0 4
// expect: 3 4
#include <stdio.h>

int half(int n) {
    return n / 2;
}

int main(void) {
    int n = 37, h;
    while ((h = half(n)) > 1) {
        printf("%d ", h);
        n = h;
    }
    printf("%d\n", h);
    if ((n = 5) == 5 && n++ && n == 6) printf("%d\n", n);
    if (n-- == 0 || n == 5) printf("%d\n", n);
    for (int i = 3; i-- > 0;) printf("%d ", i);
    int a, b;
    if ((a = 0) || (b = 4)) printf("%d %d\n", a, b);
    n = (h = 3) ? h++ : h--;
    printf("%d %d\n", n, h);
    return 0;
}
