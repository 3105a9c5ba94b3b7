// Before its inner declaration a name still means the outer variable.
// why: scopes begin at the declarator, not at the brace.
// expect: 42 2
// expect: 2
#include <stdio.h>

int main(void) {
    int a = 1;
    {
        a = 2;
        int b = a;
        int a = b + 40;
        printf("%d %d\n", a, b);
    }
    printf("%d\n", a);
    return 0;
}
