// Powers by repeated squaring, and modulo a number.
//
// why: a loop in which one variable is squared in each round and another is multiplied in some.
// expect: 2^10 = 1024
// expect: 3^20 = 3486784401
// expect: (-7)^11 = -1977326743
// expect: 2^1000000 mod 1000003 = 250001
#include <stdio.h>

long power(long base, unsigned exponent) {
    long result = 1;
    while (exponent) {
        if (exponent & 1) result *= base;
        base *= base;
        exponent >>= 1;
    }
    return result;
}

unsigned long power_modulo(unsigned long base, unsigned long exponent, unsigned long modulus) {
    unsigned long result = 1;
    for (base %= modulus; exponent; exponent /= 2) {
        if (exponent % 2) result = result * base % modulus;
        base = base * base % modulus;
    }
    return result;
}

int main(void) {
    printf("2^10 = %ld\n", power(2, 10));
    printf("3^20 = %ld\n", power(3, 20));
    printf("(-7)^11 = %ld\n", power(-7, 11));
    printf("2^1000000 mod 1000003 = %lu\n", power_modulo(2, 1000000, 1000003));
    return 0;
}
