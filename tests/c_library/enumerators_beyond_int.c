// Enumerations with constants beyond `int`.
// why: the enumeration has a wider type, constants that fit are of type `int` nevertheless.
// expect: 8 4 int unsigned long 0
// expect: 8 4 int long 1
// expect: 8 8 unsigned long int 0
// expect: 8 4 int long 1
// expect: 4 4 unsigned int 0
// expect: 4 4 int int 1
// expect: 8 4 int unsigned long 0
// expect: 4 4 int unsigned 0
// expect: 2 4 int int 1
// expect: 4 4
// expect: 1 1 1
// expect: ffffffff80000000
// expect: A2
// expect: 8589934591 -5 8
#include <stdio.h>

#define TYPE(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", unsigned long: "unsigned long")
#define SHOW(type, one, two) printf("%zu %zu %s %s %d\n", sizeof(enum type), sizeof one, TYPE(one), TYPE(two), (enum type)-1 < 0)

enum a { A1 = 1, A2 = 0x1ffffffffLL };
enum b { B1 = -1, B2 = 0x1ffffffffLL };
enum c { C1 = 0x8000000000000000ULL, C2 = 1 };
enum d { D1 = -1, D2 = 0xffffffffU };
enum e { E1 = 0xffffffffU, E2 = 'a' };
enum f { F1 = -5, F2 };
enum g { G1 = 3, G2 = sizeof G1, G3 = 0x100000000, G4 = sizeof G1 };
enum h { H1 = 0x7fffffff, H2 = 0x80000000, H3 = 5 };
enum __attribute__((packed)) i { I1 = -1, I2 = 200 };

struct bits { enum a wide : 33; enum f narrow : 4; };

int main(void) {
    SHOW(a, A1, A2);
    SHOW(b, B1, B2);
    SHOW(c, C1, C2);
    SHOW(d, D1, D2);
    SHOW(e, E1, E2);
    SHOW(f, F1, F2);
    SHOW(g, G1, G3);
    SHOW(h, H1, H2);
    SHOW(i, I1, I2);
    printf("%d %d\n", G2, G4);
    printf("%d %d %d\n", A1 - 2 < 0, C2 - 2 < 0, A2 - A2 - 1 > 0);
    printf("%lx\n", (unsigned long)(A1 << 31));
    enum a value = A2;
    struct bits bits = { A2, F1 };
    switch (value) {
    case A1: puts("A1"); break;
    case A2: puts("A2"); break;
    }
    printf("%ld %d %zu\n", (long)bits.wide, bits.narrow, sizeof bits);
    return 0;
}
