// Sizes of expressions as case values.
// why: the operand of sizeof has a type where the switch stands, though cases are looked at before their bodies.
// expect: 1:1 2:2 4:3 8:4 16:5
#include <stdio.h>

int of(long n) {
    short half = 0;
    double n2 = 0;
    switch (n) {
        case sizeof(char): return 1;
        case sizeof half: return 2;
        case sizeof (half + 1): return 3;
        case sizeof n2: return 4;
        case sizeof n + sizeof(of(n++), 1L): return 5;
    }
    return 0;
}

int main(void) {
    for (int i = 0; i < 20; i++) {
        if (of(i)) printf("%d:%d%c", i, of(i), i < 16 ? ' ' : '\n');
    }
    return 0;
}
