// Functions that return nothing, with and without `return`.
// why: their continuation takes no argument; a path may end without `return`.
// expect: hello
// expect: -----
// expect: negative
// expect: 0123hello
// expect:
// expect: hello
#include <stdio.h>

void hello(void) {
    puts("hello");
}

void line(int n) {
    if (n < 0) {
        puts("negative");
        return;
    }
    while (n--) putchar('-');
    puts("");
}

void stop_early(int n) {
    for (int i = 0;; i++) {
        if (i == n) return;
        putchar('0' + i);
    }
}

int main(void) {
    hello();
    line(5);
    line(-5);
    stop_early(4);
    (void)0;
    (hello(), line(0));
    1 ? hello() : line(1);
    return 0;
}
