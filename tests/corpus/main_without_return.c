// The end of `main` without a `return`.
// why: the status is then 0, which holds for `main` alone.
// expect: 42
#include <stdio.h>

int main() {
    int n = 42;
    printf("%d\n", n);
}
