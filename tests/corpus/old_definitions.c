// Old-style definitions: of functions that return pointers to functions, and of nested functions.
// why: the parameters of such a definition get their types after the declarator.
// expect: 5 13 -4
// expect: 31 66
#include <stdio.h>
static int plus(a, b) { return a + b; }
static int minus(a, b) int a, b; { return a - b; }
static int (*choose(sign))() char sign; { return sign == '+' ? plus : minus; }
static int (*row(table, i))[2] int (*table)[2], i; { return table + i; }
static int (*(chosen_by(f, x)))(int, int) int (*(*f)())(); char x; { return f(x); }
int main(void) {
    int base = 10, table[2][2] = {{1, 2}, {3, 4}};
    int nested(a, b) int a; char b; { return a * 10 + b + base + table[1][0]; }
    printf("%d %d %d\n", choose('-')(9, 4), (*choose('+'))(9, 4), -(*row(table, 1))[1]);
    printf("%d %d\n", nested(1, 264), chosen_by(choose, 300 - 256)(60, -6));
    return 0;
}
