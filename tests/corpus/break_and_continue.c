// `break` and `continue` in `while`, `do` and `for`.
// why: `continue` goes to the condition in `while` and `do`, and to the step in `for`.
// expect: 2 4 6 | 7 6 4 3 | 0 6 | 9
// expect: 3
#include <stdio.h>

int main(void) {
    int i = 0;
    while (i < 10) {
        i++;
        if (i % 2) continue;
        if (i == 8) break;
        printf("%d ", i);
    }
    printf("| ");
    do {
        i--;
        if (i == 5) continue;
        if (i == 2) break;
        printf("%d ", i);
    } while (i > 0);
    printf("| ");
    for (i = 0; i < 10; i += 3) {
        if (i == 3) continue;
        if (i == 9) break;
        printf("%d ", i);
    }
    printf("| %d\n", i);
    i = 0;
    do {
        i++;
        continue;
        printf("never\n");
    } while (i < 3);
    do break; while (1);
    printf("%d\n", i);
    return 0;
}
