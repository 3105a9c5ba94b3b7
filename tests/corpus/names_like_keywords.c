// Names that begin with keywords, names of one letter, underscores, and names of the CPS language.
// why: `ret`, `let`, `in`, `branch` and `next` are no keywords of C; `printf_` is no printf.
// expect: 45 2
// expect: -3
// expect: 2 8 6
// expect: 8
#include <stdio.h>

int int_(int _) { return _ + 1; }
int branch(int let, int in) { return let - in; }
int ret(int next) { return next * 2; }
int load(int store) { return store; }

int main(void) {
    int iffy = 1, do_it = 2, whiles = 3, returned = 4, v = 5, undef = 6, halt = 7, then = 8, bool_ = 9;
    int A = 10, a = 11, __x = 12, x1 = 13, x2 = 14, x_1 = 15;
    printf("%d %d\n", iffy + do_it + whiles + returned + v + undef + halt + then + bool_, int_(1));
    printf("%d\n", A - a + __x - x1 + x2 - x_1);
    printf("%d %d %d\n", branch(5, 3), ret(4), load(6));
    int ret_ = 3, k = 4;
    if (ret_) k = ret(k);
    else k = branch(k, 1);
    printf("%d\n", k);
    return 0;
}
