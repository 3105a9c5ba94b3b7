// Structs whose members `#pragma pack` aligns.
// why: the pragma changes layouts; a compiler that ignores it reads other bytes than gcc.
// expect: 16 10 16 16 10 10 16 12
// expect: c9cd3f57 5 1
// expect: -2 1 -1
#include <stdio.h>
#include <stddef.h>
#pragma pack(push, foo, 2)
#pragma pack(push, bar, 4)
#pragma pack(push, 1)
#pragma pack(pop, foo)
struct A { char a; long b; };
#pragma pack(pop)
#pragma pack(push, 2)
struct B { char a; long b; };
#pragma pack()
struct C { char a; long b; };
#pragma pack(pop)
struct D { char a; long b; };
#pragma pack(2)
#pragma pack(push)
#pragma pack(pop)
struct E { char a; long b; };
#pragma pack(pop)
struct F { char a; long b; };
#pragma pack(0)
struct G { char a; long b; };
#pragma pack(push, 1)
struct bits { char a; int b : 11, c : 25; short d; };
#pragma pack(pop)
struct H { char a; long b; } __attribute__((packed, aligned(4)));
#pragma pack(push, 1)
struct narrow { int a; int b : 22, c : 2; char d; };
#pragma pack(pop)
union U { struct bits bits; unsigned word; };
#pragma pack(push, 1)
union V { struct { signed char a; short b; long c; } parts; unsigned word; };
#pragma pack(pop)
int main(void) {
    union V v = { { 0x57, (short)0xcd3f, (long)0xdc3abb43abc618c9L } };
    struct bits b = { 1, 5, -7, 3 };
    printf("%zu %zu %zu %zu %zu %zu %zu %zu\n", sizeof(struct A), sizeof(struct B), sizeof(struct C), sizeof(struct D),
           sizeof(struct E), sizeof(struct F), sizeof(struct G), sizeof(struct H));
    printf("%x %d %d\n", v.word, b.b, b.c == -7 && b.d == 3 && sizeof b == 8);
    struct narrow narrow[2] = { { 1, 2, -2, 3 }, { 1, 2, 1, 3 } };
    narrow[1].d = narrow[0].c + narrow[1].c;
    printf("%d %d %d\n", narrow[0].c, narrow[1].c, narrow[1].d);
    return 0;
}
