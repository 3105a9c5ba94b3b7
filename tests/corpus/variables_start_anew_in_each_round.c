// A variable declared in a loop's body.
// why: its initialiser runs in each round; nothing is carried over from the last one.
// expect: 0 1 5 0 1 0 end
#include <stdio.h>

int main(void) {
    for (int i = 0; i < 3; i++) {
        int sum = 0;
        for (int j = 0; j <= i; j++) {
            int square = j * j;
            sum += square;
        }
        printf("%d ", sum);
    }
    int n = 0;
    while (n < 3) {
        int seen = 0;
        if (n == 1) seen = 1;
        printf("%d ", seen);
        n++;
    }
    printf("end\n");
    return 0;
}
