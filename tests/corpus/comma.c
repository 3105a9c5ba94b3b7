// The comma operator evaluates its left side for its effects.
// why: in `for`, in conditions, in parentheses as an argument; it binds weaker than assignment.
// expect: 0,10 1,8 2,6 3,4 end
// expect: 8
// expect: 1 2
// expect: 5 11
// expect: 3
#include <stdio.h>

int main(void) {
    int a, b;
    for (a = 0, b = 10; a < b; a++, b -= 2) printf("%d,%d ", a, b);
    printf("end\n");
    int c = (a++, b++, a + b);
    printf("%d\n", c);
    a = 1, b = 2;
    printf("%d %d\n", a, b);
    while (a++, a < 5) b += a;
    printf("%d %d\n", a, b);
    printf("%d\n", (1, 2, 3));
    return (a = 3, a - 3);
}
