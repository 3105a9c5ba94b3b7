// `sizeof` of types and of expressions, whose operands are not evaluated.
// why: it is an `unsigned long`, and it sees promotions.
// expect: 1 2 4 8
// expect: 4 8 1 1
// expect: 1 4 4
// expect: 4 8 4
// expect: 4 8 4 8
// expect: 4 1
// expect: 8 4
// expect: 0 8
// expect: 20
#include <stdbool.h>
#include <stdio.h>

int main(void) {
    int i = 1;
    char c = 'c';
    printf("%lu %lu %lu %lu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long));
    printf("%lu %lu %lu %lu\n", sizeof(float), sizeof(double), sizeof(bool), sizeof(unsigned char));
    printf("%lu %lu %lu\n", sizeof c, sizeof(c + c), sizeof 'c');
    printf("%lu %lu %lu\n", sizeof(1.0f), sizeof 1.0, sizeof(1.0f + 1));
    printf("%lu %lu %lu %lu\n", sizeof 1, sizeof 1l, sizeof 1u, sizeof 4294967296);
    printf("%lu %d\n", sizeof(i++), i);
    printf("%lu %lu\n", sizeof(c ? 1 : 2l), sizeof(1 < 2));
    printf("%d %lu\n", -1 < sizeof(int), sizeof(int) * 2);
    printf("%lu\n", sizeof i * 3 + sizeof(unsigned long));
    return 0;
}
