// A remainder by zero, in 64 bits without a sign.
// why: a runtime error as division is.
// expect: 1
// status: error
#include <stdio.h>

int main(void) {
    unsigned long n = 4;
    while (1) {
        n -= 2;
        printf("%lu\n", 7 % n);
    }
}
