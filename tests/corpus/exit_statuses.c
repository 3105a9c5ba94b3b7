// `exit` deep inside of calls and loops.
// why: it ends the program at once, and its status has eight bits.
// expect: found 8
// status: 8
#include <stdio.h>
#include <stdlib.h>

int search(int n) {
    for (int i = n; i < 100; i++) {
        if (i * i > 50) {
            printf("found %d\n", i);
            exit(256 + i);
        }
    }
    return 1;
}

int main(void) {
    int r = 1 + search(2);
    printf("never %d\n", r);
    return 0;
}
