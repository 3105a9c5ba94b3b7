// A long computation without branches.
// why: values that are used more than once, far from where they are computed.
// expect: 12 15 176 155 -6951 2 49
// expect: 1.500000 6.250000 -1.631579
#include <stdio.h>

int main(void) {
    int a = 3, b = 4, c = a * b, d = c + a, e = d * c - b, f = (a + b) * (c - d) + e;
    int g = f * f - e * e, h = (g ^ f) & (e | d), i = (a + b) * (a + b);
    double x = a / 2.0, y = x * x + b, z = (x + y) / (x - y);
    printf("%d %d %d %d %d %d %d\n", c, d, e, f, g, h, i);
    printf("%.6f %.6f %.6f\n", x, y, z);
    return 0;
}
