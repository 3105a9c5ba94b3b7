// 64-bit products, quotients and remainders of 32-bit parts.
// why: which operand is cast decides where the wrap happens.
// expect: 1410065408 10000000000 1410065408
// expect: 3705032704 8000000000
// expect: -1893176794124586887
// expect: 1245309519 582 b092ab7b88cf5b62
// expect: 9755dee01b0bb68d
#include <stdio.h>

int main(void) {
    int a = 100000, b = 100000;
    printf("%d %ld %ld\n", a * b, (long)a * b, (long)(a * b));
    unsigned u = 4000000000u;
    printf("%u %lu\n", u * 2, u * 2ul);
    long hash = 1469598103934665603;
    for (int i = 0; i < 5; i++) hash = (hash ^ i) * 1099511628211;
    printf("%ld\n", hash);
    unsigned long x = 0xdeadbeefcafebabe;
    unsigned long low = x & 0xffffffff, high = x >> 32;
    printf("%lu %lu %lx\n", high / 3, low % 1000, high * low);
    printf("%lx\n", (x << 13 | x >> 51) * 5 + 0xe6546b64);
    return 0;
}
