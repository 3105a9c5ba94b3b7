// The smallest irreducible graph: two labels that lead to each other, both entered from above.
// why: `x` never changes, `y` does in one of the two, `z` in both.
// expect: 700000001 700070100
// expect: 700070101 700070101
// expect: 700070102 700140201
// expect: 700140202 700140202
// expect: 700140203 700210302
// expect: 700210303 700210303
#include <stdio.h>

int f(int which, int n) {
    int x = 7, y = 0, z = 0;
    if (which) goto right;
left:
    z += 1;
    if (n-- <= 0) goto out;
right:
    y += x;
    z += 100;
    if (n-- > 0) goto left;
out:
    return x * 100000000 + y * 10000 + z;
}

int main(void) {
    for (int n = 0; n < 6; n++) printf("%d %d\n", f(0, n), f(1, n));
    return 0;
}
