// Comparisons of addresses of static objects and functions, as initial values.
// why: different objects have different addresses, and elements of an array are in order.
// expect: 1 0 0 1 1 1 0 1
#include <stdio.h>
static int one, other, table[5];
static int f(void) { return one; }
static int g(void) { return other; }
static int differ = &one != &other, equal = &one == &other;
static int elements = &table[1] == &table[2], order = &table[3] > &table[1], within = &table[2] <= table + 2;
static int functions = f != g, same = f != f, both = &one && &other;
int main(void) {
    printf("%d %d %d %d %d %d %d %d\n", differ, equal, elements, order, within, functions, same, both);
    return f() + g();
}
