// Ranges in initialisers replace earlier lists as a whole.
// why: an element of a range, too, has no part of the list that the range replaces.
// expect: 0 0 0 0 0 0 42 1
// expect: 2 0 1 0 1 0 1 0
// expect: 0 0 0 0 2 7 42 1
#include <stdio.h>

static const int constant[4][2] = {{2, 3}, {-3, 4}, {2, 7}, {42, 1}, [0 ... 2] = {0, [0 ... 0] = 0}};

static void print(const int *p) {
    for (int i = 0; i < 8; i++) {
        printf("%d%c", p[i], i < 7 ? 32 : 10);
    }
}

int main(void) {
    int variable[4][2] = {{2}, {-3, 4}, {2, 7}, {42, 5}, [1 ... 3] = {1}};
    int empty[4][2] = {{2, 3}, {-3, 4}, {2, 7}, {42, 1}, [0 ... 1] = {}};
    print(&constant[0][0]);
    print(&variable[0][0]);
    print(&empty[0][0]);
}
