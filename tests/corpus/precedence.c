// Operators without parentheses, against the same with them.
// why: C's table of precedences, and which operators group to the left.
// expect: 2 4 2
// expect: 13 224
// expect: 1 7 6
// expect: 0 0
// expect: 1 1
// expect: 21 0
// expect: 10 10
// expect: 6 32
// expect: 5
// expect: 5 5
// expect: 2
// expect: 7 0
// expect: 6 2
#include <stdio.h>

int main(void) {
    int a = 7, b = 3, c = 2, d = 5;
    printf("%d %d %d\n", a - b - c, a / b * c, a % b * c);
    printf("%d %d\n", a + b * c, a << b + c);
    printf("%d %d %d\n", a & b == 3, a | b & c, a ^ b | c);
    printf("%d %d\n", a < b == c < d, a > b > c);
    printf("%d %d\n", a || b && !c, !a == !b);
    printf("%d %d\n", -a * -b, ~a & d);
    printf("%d %d\n", a - -b, a + + b);
    printf("%d %d\n", a >> 1 << 1, 1 << 2 << 3);
    printf("%d\n", a = b = c ? d : a);
    printf("%d %d\n", a, b);
    printf("%d\n", a == 5 ? b != 5 ? 1 : 2 : 3);
    printf("%d %d\n", a & 4 | 2 ^ 1, a && b & 2);
    int i = 1;
    int sum = i++ + 5;
    printf("%d %d\n", sum, - -i);
    return 0;
}
