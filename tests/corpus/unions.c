// Unions: one object, read in several ways.
// why: the bytes of numbers are those of x86-64; anonymous unions and structs in a struct.
// expect: 3ff8000000000000 3f 0 -1.5 12 15
#include <stdio.h>

union number {
    unsigned long bits;
    double value;
    unsigned char bytes[8];
};

struct shape {
    enum { CIRCLE, RECTANGLE } kind;
    union {
        int radius;
        struct {
            int width, height;
        };
    };
};

static int area(struct shape s) {
    return s.kind == CIRCLE ? 3 * s.radius * s.radius : s.width * s.height;
}

int main(void) {
    union number n = {.value = 1.5};
    printf("%lx %x %x ", n.bits, n.bytes[7], n.bytes[0]);
    n.bytes[7] |= 0x80;
    printf("%g ", n.value);
    struct shape shapes[] = {{CIRCLE, {2}}, {.kind = RECTANGLE, .width = 3, .height = 5}};
    printf("%d %d\n", area(shapes[0]), area(shapes[1]));
    return 0;
}
