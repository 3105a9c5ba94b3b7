// Recursion 20,000 calls deep, that is not a tail call.
// why: source recursion costs heap, not stack.
// expect: 200010000
#include <stdio.h>

long sum(long n) {
    return n ? n + sum(n - 1) : 0;
}

int main(void) {
    printf("%ld\n", sum(20000));
    return 0;
}
