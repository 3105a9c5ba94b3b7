// `putchar`, `puts` and `printf` in one stream; their results.
// why: effects keep their order, and `putchar` returns what it wrote.
// expect: AB
// expect: 131
// expect: x then puts
// expect: 12345six
// expect: 9
#include <stdio.h>

int main(void) {
    int c = putchar('A');
    c += putchar(c + 1);
    putchar('\n');
    printf("%d\n", c);
    putchar(256 + 'x');
    puts(" then puts");
    int n = printf("%d%s", 12345, "six");
    n += printf("\n");
    printf("%d\n", n);
    return 0;
}
