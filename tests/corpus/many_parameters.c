// A function with twelve parameters of various types.
// why: more than fit in registers, and each in its place.
// expect: 1 2 3 4 5.5 6.25 7 8 9 10.5 11 12
// expect: 79.25
// expect: 32 54
#include <stdio.h>

double all(char a, short b, int c, long d, float e, double f, unsigned char g, unsigned h, int i, float j, long k, int l) {
    printf("%d %d %d %ld %.1f %.2f %d %u %d %.1f %ld %d\n", a, b, c, d, e, f, g, h, i, j, k, l);
    return a + b + c + d + e + f + g + h + i + j + k + l;
}

int rotate(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int n) {
    if (n == 0) return a * 10 + j;
    return rotate(b, c, d, e, f, g, h, i, j, a, n - 1);
}

int main(void) {
    printf("%.2f\n", all(1, 2, 3, 4, 5.5f, 6.25, 7, 8, 9, 10.5f, 11, 12));
    printf("%d %d\n", rotate(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3), rotate(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 25));
    return 0;
}
