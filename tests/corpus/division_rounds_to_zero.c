// Quotients are cut towards zero and remainders have the sign of the dividend.
// why: languages with floored division get each of these wrong.
// expect: -7 / -2 = 3, -1
// expect: -7 / 3 = -2, -1
// expect: 0 / -2 = 0, 0
// expect: 0 / 3 = 0, 0
// expect: 7 / -2 = -3, 1
// expect: 7 / 3 = 2, 1
// expect: -922337203685477580 -7
// expect: -4611686018427387904 -808
// expect: 1844674407370955161 5
#include <stdio.h>

int main(void) {
    for (int a = -7; a <= 7; a += 7) {
        for (int b = -2; b <= 3; b += 5) {
            printf("%d / %d = %d, %d\n", a, b, a / b, a % b);
        }
    }
    long big = -9223372036854775807;
    printf("%ld %ld\n", big / 10, big % 10);
    printf("%ld %ld\n", (big - 1) / 2, (big - 1) % 1000);
    printf("%lu %lu\n", 18446744073709551615u / 10, 18446744073709551615u % 10);
    return 0;
}
