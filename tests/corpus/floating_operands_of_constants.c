// Integer constant expressions with floating constants as operands, as gcc accepts them.
// why: they are folded in the floating types, and decide lengths, widths, enumerators, cases and static assertions.
// expect: 3 0 3 2 1 2 -2
// expect: 1 0
#include <stdio.h>
_Static_assert(2.0 == 2 && -1.5 + 1.5 == 0 && 1e3L > 999, "computed in floating types");
static int rows[(int)(1.5 * 2)];
enum { NOT = !1.5, SUM = (int)1.5f + (int)(float)2.5, CHOICE = (int)(3 / 2. > 1 ? 2.5 : 1.5), BOTH = 3.5 > 3 && 1.0 / 4 };
struct bits { int width : (int)(2 * 1.5); int rest : 4; };
static int kind(int n) {
    switch (n) { case (int)(1.5 * 4): return 1; default: return 0; }
}
int main(void) {
    struct bits b = { .width = 6 };
    enum { MIXED = (int)(1 ? 2.5 : 1) };
    printf("%d %d %d %d %d %d %d\n", (int)(sizeof rows / sizeof *rows), NOT, SUM, CHOICE, BOTH, MIXED, b.width);
    printf("%d %d\n", kind(6), kind(5));
    return 0;
}
