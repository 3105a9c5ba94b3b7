// A compound assignment computes a right operand that calls functions before it reads the left one, as gcc does.
// why: the place of the left operand is computed, but its value is read after the call.
// expect: 108 -7 13 3
// expect: 14 7 -5 5
#include <stdio.h>
static int a[3] = {1, 2, 7}, x = 1, calls;
static struct { int low : 5, high : 3; } bits = {1, 2};
static int change(void) {
    a[0] = 100;
    x = 7;
    bits.low = 12;
    return ++calls, 8;
}
static int *place(int i) {
    calls = -calls;
    return &a[i];
}
int main(void) {
    int sum = 5, *p = &sum;
    a[0] |= change();
    *p += change();
    x -= change() + 6;
    printf("%d %d %d %d\n", a[0] + 8, x, sum, calls);
    bits.low = 1;
    bits.low += (change(), 2);
    printf("%d ", bits.low);
    *place(2) += change() - 20;
    *place(1) += calls;
    printf("%d %d %d\n", a[1], a[2], calls);
    return 0;
}
