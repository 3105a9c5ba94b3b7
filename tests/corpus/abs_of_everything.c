// `abs` takes an `int`.
// why: its argument is converted like that of any function.
// expect: 3 3 0
// expect: 56 1 25
// expect: 3
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("%d %d %d\n", abs(-3), abs(3), abs(0));
    printf("%d %d %d\n", abs((char)200), abs(-4294967295), abs('a' - 'z'));
    printf("%d\n", abs(abs(-2) - abs(5)) * abs(-1));
    return 0;
}
