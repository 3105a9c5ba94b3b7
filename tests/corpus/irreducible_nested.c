// An irreducible loop inside of another one.
// why: inside a cycle with several values, an inner cycle carries one only.
// expect: 1011 1010 1010
// expect: 2010 6019 11096
// expect: 1011 3015 11055
// expect: 2010 6014 11085
#include <stdio.h>

int f(int n, int fuel) {
    int x = 0, y = 10;
    if (n & 1) goto outer_b;
outer_a:
    x += 1;
    if (n & 2) goto inner_b;
inner_a:
    y += x;
    if (--fuel < 0) goto out;
inner_b:
    y ^= 1;
    if (--fuel < 0) goto out;
    if (y % 3) goto inner_a;
outer_b:
    x += 2;
    if (--fuel < 0) goto out;
    if (x % 4 != 3) goto outer_a;
    n++;
    goto inner_b;
out:
    return x * 1000 + y;
}

int main(void) {
    for (int n = 0; n < 4; n++) printf("%d %d %d\n", f(n, 0), f(n, 5), f(n, 23));
    return 0;
}
