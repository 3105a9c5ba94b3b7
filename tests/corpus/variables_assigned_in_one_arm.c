// Assignments in one arm, in both, in none.
// why: each needs a parameter at the join exactly if the arms disagree.
// expect: 3134 12034
#include <stdio.h>

int f(int c) {
    int one = 1, both = 2, none = 3, equal = 4;
    if (c) {
        one = 10;
        both = 20;
        equal = 40;
        equal = 4;
    } else {
        both = 21;
    }
    return one * 1000 + both * 100 + none * 10 + equal;
}

int main(void) {
    printf("%d %d\n", f(0), f(1));
    return 0;
}
