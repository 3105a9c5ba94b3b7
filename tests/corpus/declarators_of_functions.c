// Declarators of functions that return pointers to functions and to arrays.
// why: a declarator is read from the name outwards; the types are shown by `sizeof` and by calls.
// expect: 14 21
// expect: 3 20
// expect: 10 18 2
#include <stdio.h>
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static int (*choose(int n, int (*other)(int)))(int) { return n ? other : twice; }
static int five[5] = { 1, 2, 3, 4, 5 };
static int (*row(int n))[5] { return n < 9 ? &five : 0; }
int (*(*f[3])(int))[5] = { row, row, row };
typedef int (*operation)(int);
static operation table[] = { twice, thrice };
int main(void) {
    printf("%d %d\n", choose(0, thrice)(7), choose(1, thrice)(7));
    printf("%d %d\n", (*f[1](0))[2], (int)sizeof(*f[0](1)));
    for (int i = 0; i < 2; i++) printf("%d ", table[i](i + 5));
    printf("%d\n", (**table[0])(1));
    return 0;
}
