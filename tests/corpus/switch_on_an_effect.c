// The value of a `switch` is an expression with effects.
// why: it is computed once, whatever the number of cases.
// expect: zero one 2 two 3 4 next five
// expect: yes
#include <stdio.h>

int next(int n) {
    printf("next ");
    return n + 1;
}

int main(void) {
    int i = 0, count = 0;
    while (count < 4) {
        count++;
        switch (i++) {
            case 0: printf("zero "); continue;
            case 1: printf("one "); break;
            case 2: printf("two "); break;
        }
        printf("%d ", i);
    }
    switch (next(i)) {
        case 5: printf("five\n"); break;
        case 4: printf("four\n"); break;
    }
    switch (i, count > 3 && i) {
        case 1: printf("yes\n");
    }
    return 0;
}
