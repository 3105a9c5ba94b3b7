// A guard on the left protects the right side.
// why: a division by zero or an endless recursion if both sides were evaluated.
// expect: 0 1 0
// expect: 1
#include <stdio.h>

int divides(int a, int b) {
    return a != 0 && b % a == 0;
}

int depth(int n) {
    return n == 0 || depth(n - 1);
}

int main(void) {
    printf("%d %d %d\n", divides(0, 6), divides(3, 6), divides(4, 6));
    printf("%d\n", depth(20));
    return 0;
}
