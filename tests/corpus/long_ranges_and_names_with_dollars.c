// Ranges of more cases than a table can list, and conditions of statements that declare names.
// why: a long range is one case, to which its values are mapped; `if`, `switch` and loops are scopes (C17 6.8.4, 6.8.5).
// expect: 1
// expect: 1
// expect: 0
// expect: 2
// expect: 3
// expect: 0
// expect: 0 3 4
// expect: few many many next none huge
// expect: 1 2 2 1 2
#include <stdio.h>
enum { in = 0 };
static int a$b = 3;
int y$k = 4;
static const char *kind(long n) {
    switch (n) {
    case -5 ... -1: return "few";
    case 0 ... 4000000000: return "many";
    case 4000000001: return "next";
    case 5000000000 ... 0x7fffffffffffffff: return "huge";
    default: return "none";
    }
}
static int u(unsigned char c) { switch (c) { case 0 ... 200: return 1; default: return 2; } }
static int uu(unsigned c) { switch (c) { default: return 2; case 0x80000000 ... 0xfffffffe: return 1; } }
static int all(long n) { switch (n) { case -0x7fffffffffffffff - 1 ... 0x7fffffffffffffff: return 1; default: return 2; } }
int main(void) {
    printf("%d\n", all(-5));
    if (sizeof(enum { in = 1 })) printf("%d\n", in);
    printf("%d\n", in);
    switch (sizeof(enum { in = 2 })) { default: printf("%d\n", in); }
    while (sizeof(enum { in = 3 })) { printf("%d\n", in); break; }
    do printf("%d\n", in); while (0 * sizeof(enum { in = 4 }));
    printf("%d %d %d\n", in, a$b, y$k);
    printf("%s %s %s %s %s %s\n", kind(-3), kind(0), kind(4000000000), kind(4000000001), kind(4999999999), kind(5000000000));
    printf("%d %d %d %d %d\n", u(3), u(201), uu(0x7fffffff), uu(0x80000000), uu(0xffffffff));
}
