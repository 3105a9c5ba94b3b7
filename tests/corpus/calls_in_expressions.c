// Calls among operators, as arguments of calls, in conditions and in loops.
// why: every call splits the expression around it: what is computed before is kept for after.
// expect: 25
// expect: 36
// expect: 48
// expect: 024
// expect: 2
// expect: 9
// expect: 27 -5
// expect: ten
#include <stdio.h>

int add(int a, int b) { return a + b; }
int twice(int n) { return add(n, n); }

int main(void) {
    int a = 3;
    int r = a * add(a, 1) + add(2, twice(a)) * 2 - a;
    printf("%d\n", r);
    printf("%d\n", add(add(add(1, 2), add(3, 4)), add(add(5, 6), add(7, 8))));
    printf("%d\n", twice(twice(twice(twice(a)))));
    for (int i = add(0, 0); i < add(1, 2); i = add(i, 1)) printf("%d", twice(i));
    printf("\n");
    printf("%d\n", add(a > 2 ? twice(1) : 0, a < 2 || twice(0)));
    a += twice(a);
    printf("%d\n", a);
    a = twice(a) + a;
    printf("%d %d\n", a, -twice(a) % 7);
    do a = add(a, -twice(5)); while (add(a, 0) > 0);
    switch (add(a, 13)) {
        case 10: printf("ten\n"); break;
        default: printf("other %d\n", a);
    }
    return 0;
}
