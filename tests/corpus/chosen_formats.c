// The format of printf is a choice between string literals.
// why: each format prints in a continuation of its own, so every format is a constant.
// expect: 1 item
// expect: 2 items
// expect: 3 some a
// expect: many
// expect: 7 8 9
#include <stdio.h>
static int calls;
static int count(int n) { calls++; return n; }
int main(void) {
    int printed = 0;
    for (int n = 1; n <= 2; n++)
        printed += printf(n == 1 ? "%d item\n" : "%d items\n", count(n));
    for (int n = 3; n <= 9; n += 6)
        printf(n > 8 ? "many\n" : n > 2 ? "%d some %s\n" : "%d few\n", n, calls == 2 ? "a" : "b");
    printf(printed ? ("%d %d %d\n") : "", 7, printed - 7, 9);
    return 0;
}
