// The greatest common divisor, by Euclid's algorithm.
//
// why: the smallest loop that carries two variables, each of which becomes the other's value.
// expect: gcd(48, 36) = 12
// expect: gcd(17, 5) = 1
// expect: gcd(1071, 462) = 21
// expect: gcd(0, 9) = 9
#include <stdio.h>

int gcd(int a, int b) {
    while (b != 0) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a;
}

int main(void) {
    printf("gcd(48, 36) = %d\n", gcd(48, 36));
    printf("gcd(17, 5) = %d\n", gcd(17, 5));
    printf("gcd(1071, 462) = %d\n", gcd(1071, 462));
    printf("gcd(0, 9) = %d\n", gcd(0, 9));
    return 0;
}
