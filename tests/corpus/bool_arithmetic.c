// `bool` is promoted to `int` in arithmetic, and what is stored in one becomes 0 or 1.
// why: `b++` and `b += 2` leave 1, `b--` flips it.
// expect: 111010101
// expect: 2 -1 -2 0
// expect: 8 1
#include <stdbool.h>
#include <stdio.h>

int main(void) {
    bool b = false;
    b++;
    printf("%d", b);
    b++;
    printf("%d", b);
    b += 2;
    printf("%d", b);
    b--;
    printf("%d", b);
    b--;
    printf("%d", b);
    b = true;
    b *= 0;
    printf("%d", b);
    b |= 4;
    printf("%d", b);
    b ^= 1;
    printf("%d", b);
    b = !b;
    printf("%d\n", b);
    printf("%d %d %d %d\n", true + true, -true, ~true, !true);
    printf("%d %d\n", true << 3, true == 1);
    return 0;
}
