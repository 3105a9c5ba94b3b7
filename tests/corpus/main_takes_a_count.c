// A `main` with one parameter, which calls itself, and variables of one thread.
// why: the second parameter is added; a program has one thread, for which thread-local variables are static.
// expect: 1 2 5
// expect: 2 3 8
// status: 3
#include <stdio.h>
static _Thread_local int calls;
__thread int total = 3;
static int counted(void) {
    static __thread int inner = 1;
    calls++;
    return ++inner;
}
int main(int count) {
    total += counted();
    printf("%d %d %d\n", count, calls + 1, total);
    return count < 2 ? main(count + 1) : 3;
}
