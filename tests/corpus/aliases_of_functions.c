// The attribute `alias` of GNU C.
// why: an alias is a definition of another name, whose declaration may be without parameters, or copied by `typeof`.
// expect: text 1.500000
// expect: 8 3 3 8
#include <stdio.h>

static int twice(int x) { return 2 * x; }
void report(const char *text, double d) { printf("%s %f\n", text, d); }
int *place(void) { static int n; return &n; }
int old(a, b) int a; char *b; { return a + b[0]; }
struct s { int a[5]; } make(int x) { struct s r = {{x, 1}}; return r; }
int doubled(int) __attribute__((alias("twice")));
extern __typeof(report) log_it __attribute__((weak, __alias__("rep" "ort")));
__attribute__((alias("place"))) int *where(void);
int older() __attribute__((alias("old")));
struct s made(int) __attribute__((alias("make")));
int main(void) {
    log_it("text", 1.5);
    *where() = 3;
    int (*f)(int) = doubled;
    printf("%d %d %d %d\n", f(4), *place(), older(1, "\2"), made(7).a[0] + made(1).a[1]);
    return 0;
}
