// Pascal's triangle.
//
// why: nested loops with three variables, the inner one's bound being the outer one's counter.
// expect: 0: 1
// expect: 1: 1 1
// expect: 2: 1 2 1
// expect: 3: 1 3 3 1
// expect: 4: 1 4 6 4 1
// expect: 5: 1 5 10 10 5 1
// expect: 6: 1 6 15 20 15 6 1
// expect: 7: 1 7 21 35 35 21 7 1
#include <stdio.h>

int main(void) {
    for (int row = 0; row < 8; row++) {
        int entry = 1;
        printf("%d:", row);
        for (int column = 0; column <= row; column++) {
            printf(" %d", entry);
            entry = entry * (row - column) / (column + 1);
        }
        printf("\n");
    }
    return 0;
}
