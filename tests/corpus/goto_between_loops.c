// Two loops that jump into each other's bodies.
// why: neither loop is inside of the other, and each has several entries.
// expect: 1 11 25
#include <stdio.h>

int main(void) {
    int a = 0, b = 0, fuel = 30;
    while (a < 10) {
        a++;
    in_first:
        a += b % 3;
        if (--fuel < 0) goto out;
        if (a % 4 == 1) goto in_second;
    }
    for (b = 0; b < 10; b++) {
        b += 1;
    in_second:
        b += a % 2;
        if (--fuel < 0) goto out;
        if (b % 3 == 2) goto in_first;
    }
out:
    printf("%d %d %d\n", a, b, fuel);
    return 0;
}
