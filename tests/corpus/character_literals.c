// Character constants with every escape.
// why: each has type `int`; octal and hexadecimal escapes end where their digits do.
// expect: 97 32 39 34
// expect: 10 9 13 0
// expect: 7 8 12 11
// expect: 92 34 63
// expect: 65 65 7 127
// expect: -23 -23
// expect: 1
#include <stdio.h>

int main(void) {
    printf("%d %d %d %d\n", 'a', ' ', '\'', '"');
    printf("%d %d %d %d\n", '\n', '\t', '\r', '\0');
    printf("%d %d %d %d\n", '\a', '\b', '\f', '\v');
    printf("%d %d %d\n", '\\', '\"', '\?');
    printf("%d %d %d %d\n", '\x41', '\101', '\7', '\x7f');
    printf("%d %d\n", '\xe9', '\351');
    printf("%d\n", 'a' + 'b' - 'c' == '`');
    return 0;
}
