// `++` and `--` before and after their operand.
// why: the value of the postfix form is the old one; the new one is converted back to the variable's type.
// expect: 5 7 7 5 5
// expect: 255 0 255
// expect: 0 255 255
// expect: 0.5 0.5
// expect: -0.5
// expect: 2147483648
// expect: 7 7
#include <stdio.h>

int main(void) {
    int i = 5;
    int a = i++;
    int b = ++i;
    int c = i--;
    int d = --i;
    printf("%d %d %d %d %d\n", a, b, c, d, i);
    unsigned char u = 255;
    a = u++;
    b = u--;
    printf("%d %d %d\n", a, b, u);
    a = ++u;
    b = --u;
    printf("%d %d %d\n", a, b, u);
    double x = 0.5;
    double y = x++;
    --x;
    printf("%.1f %.1f\n", y, x--);
    printf("%.1f\n", x);
    long l = 2147483647;
    l++;
    printf("%ld\n", l);
    (i)++;
    ++(i);
    printf("%d %d\n", i, - -i);
    return 0;
}
