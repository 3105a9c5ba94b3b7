// Variables declared without a value and assigned on every path before they are read.
// why: such a variable may have no value where paths meet, as long as nobody reads it there.
// expect: 4 5
#include <stdio.h>

int f(int n) {
    int a, b;
    if (n > 0) a = 1;
    else b = 2;
    for (int i = 0; i < 3; i++) {
        if (n > 0) a++;
        else b++;
    }
    if (n > 0) return a;
    return b;
}

int main(void) {
    int unused;
    printf("%d %d\n", f(1), f(-1));
    return 0;
}
