// The offset of a member as the address of the member at a null pointer.
// why: old programs define `offsetof` so, and use it in constant expressions.
// expect: 8 24 4 12 16
// expect: 3 24 8 1 0
// expect: member
// expect: bytes 17 17
#include <stdio.h>

typedef unsigned long size;

struct inner { int a, b[3]; };
struct outer { char c; double d; struct inner i; char end[5]; };

static char by_offset[(size)&((struct outer *)0)->d], by_distance[((char *)&((struct outer *)0)->i.b[1] - (char *)0)];
static size offsets[] = { (size)&((struct inner *)0)->b, (size)&((struct inner *)0)->b[2], ((char *)&((struct outer *)0)->i - (char *)0) };
static const int known = (int)(long)&((struct inner *)0)->b[2] / 4;
enum { LAST = (size)&((struct outer *)0)->i.b[1], SECOND = (size)((struct outer *)8)->end - 24, ADDRESS = (size)(char *)1 };
struct bits { unsigned field : (size)&((struct inner *)0)->b; };
_Static_assert(((char *)&((struct outer *)0)->d - (char *)0) == 8, "the offset of d");
_Static_assert((_Bool)&((struct outer *)0)->d, "not null");

static const char *name(size offset) {
    switch (offset) {
    case (size)&((struct outer *)0)->c: return "first";
    case (size)&((struct outer *)0)->i: return "member";
    default: return "none";
    }
}

int main(void) {
    struct bits bits = { 17 };
    printf("%zu %zu %zu %zu %zu\n", sizeof by_offset, sizeof by_distance, offsets[0], offsets[1], offsets[2]);
    bits.field += 16;
    printf("%d %d %d %d %d\n", known, LAST, SECOND - 8, ADDRESS, (int)bits.field - 1);
    puts(name(16));
    char local[((char *)&((struct inner *)0)->b - (char *)0) + 13];
    printf("bytes %zu %zu\n", sizeof local, sizeof(char[(size)&((struct outer *)0)->i.b - 3]));
    return 0;
}
