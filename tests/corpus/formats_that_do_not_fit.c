// Calls of `printf` and `fprintf` whose arguments do not fit their formats.
// why: they are no errors where control does not reach them; integers of all sizes are passed in the same registers.
// expect: 0 0 17 fff ab
// expect: 2 unreached
#include <stdio.h>
struct pair { int a, b; };
static int report(int kind, double x, struct pair p) {
    switch (kind) {
    case 1: printf("%d %s\n", x, 3); break;
    case 2: printf("%f\n", kind++); break;
    case 3: printf("%d %d %s\n", kind); break;
    case 4: printf("%d %p %s\n", "text", "text", "text"); break;
    case 5: return fprintf(stderr, "%s %c\n", p, "text");
    }
    return kind;
}
int main(void) {
    struct pair p = { 1, 2 };
    printf("%d %x %ld %lx %.*s\n", 0L, 0UL, 17, 4095, 2L, "abc");
    int (*volatile skipped)(int, double, struct pair) = report;
    printf("%d unreached\n", skipped(0, 1.5, p) + p.b);
    return 0;
}
