// The integer square root, by Newton's method and bit by bit.
//
// why: a `do` loop, and two ways to one answer that are checked against each other by `assert`.
// expect: 9 10 65535
#include <assert.h>
#include <stdio.h>

unsigned newton(unsigned n) {
    if (n < 2) return n;
    unsigned next = n / 2, root;
    do {
        root = next;
        next = (root + n / root) / 2;
    } while (next < root);
    return root;
}

unsigned bitwise(unsigned n) {
    unsigned root = 0;
    for (unsigned bit = 1u << 30; bit; bit >>= 2) {
        if (n >= root + bit) {
            n -= root + bit;
            root = root / 2 + bit;
        } else {
            root /= 2;
        }
    }
    return root;
}

int main(void) {
    for (unsigned n = 0; n < 100; n++) {
        assert(newton(n) == bitwise(n));
    }
    printf("%u %u %u\n", newton(99), newton(100), newton(4294967295u));
    return 0;
}
