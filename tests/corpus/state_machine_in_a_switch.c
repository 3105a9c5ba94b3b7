// A state machine as a loop around a `switch`.
// why: the state is a variable that each case sets; all cases join at the loop's end.
// expect: 1 182
#include <stdio.h>

int main(void) {
    int state = 0, steps = 0, n = 27;
    while (state != 9) {
        steps++;
        switch (state) {
            case 0:
                if (n == 1) state = 9;
                else state = n % 2 ? 2 : 1;
                break;
            case 1:
                n /= 2;
                state = 0;
                break;
            case 2:
                n = 3 * n + 1;
                state = 1;
                break;
        }
        if (steps > 100000) break;
    }
    printf("%d %d\n", n, steps);
    return 0;
}
