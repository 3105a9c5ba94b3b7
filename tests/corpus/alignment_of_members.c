// The alignment of members with `_Alignas`.
// why: `_Alignof` of an expression is the alignment of the object that it denotes, as in gcc.
// expect: 16 4 1 8 16 32
#include <stdio.h>

struct s {
    _Alignas(16) char a;
    _Alignas(int) char b;
    char c;
    long d;
} x;

int main(void) {
    _Alignas(32) char y;
    printf("%d %d %d ", (int)_Alignof(x.a), (int)_Alignof(x.b), (int)_Alignof(x.c));
    printf("%d %d %d\n", (int)_Alignof(x.d), (int)_Alignof(struct s), (int)_Alignof(y));
}
