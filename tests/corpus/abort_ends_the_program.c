// `abort` ends the program abnormally.
// why: its status is no number that `exit` could give; output written before is kept.
// expect: before
// status: abort
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("before\n");
    if (1 + 1 == 2) abort();
    printf("never\n");
    return 0;
}
