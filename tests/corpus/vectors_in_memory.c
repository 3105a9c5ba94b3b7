// Vectors of GNU C in structs, arrays and unions, behind pointers, and as arguments.
// why: a vector in memory is aligned to its size, and its elements are accessed at any index.
// expect: 48 64 16
// expect: 60 8 16
// expect: 72 8 4
// expect: 1 8
// expect: 7 -2
// expect: 2 3
// expect: 236
#include <stdarg.h>
#include <stdio.h>

typedef short eight __attribute__((vector_size(16)));
typedef double two __attribute__((vector_size(16)));
typedef int large __attribute__((vector_size(32)));
struct mixed { char c; eight v; int n; };
union bytes { eight v; unsigned char bytes[16]; };

static eight table[2][2] = { { { 1, 2 }, { 3 } }, { { 4, 5, 6, 7, 8, 9, 10, 11 } } };
int __attribute__((vector_size(8))) pair = { 7, 8 };
int *to_pair __attribute__((vector_size(8))) = &pair;
static struct mixed object = { 'x', { 1, 2, 3 }, 4 };

static eight shifted(eight v, int count) { return count == 0 ? v : shifted(v << 1, count - 1); }

static int total(int count, ...) {
    va_list list;
    va_start(list, count);
    large sum = { 0 };
    while (count-- > 0) sum += va_arg(list, large);
    two last = va_arg(list, two);
    va_end(list);
    return sum[7] * 10 + (int)last[1];
}

int main(void) {
    printf("%zu %zu %zu\n", sizeof(struct mixed), sizeof table, _Alignof(eight));
    eight *p = &table[1][0];
    for (int i = 0; i < 8; i++) (*p)[i] += i * i;
    p[-1] |= *p & 12;
    printf("%d %d %d\n", table[1][0][7], table[0][1][2], (*p)[p[0][0] - 1]);
    object.v *= object.v;
    struct mixed copy = object;
    copy.v[2]--;
    eight (*f)(eight, int) = shifted;
    printf("%d %d %d\n", f(object.v, 3)[2], copy.v[2], copy.n);
    union bytes u;
    u.v = copy.v + 0x100;
    printf("%d %d\n", u.bytes[3], u.bytes[4]);
    (*to_pair)[1] -= 10;
    printf("%d %d\n", pair[0], pair[1]);
    eight old = table[0][0]++;
    printf("%d %d\n", old[1], table[0][0][1]);
    large x = { 1, 2, 3, 4, 5, 6, 7, 8 };
    printf("%d\n", total(3, x, x + 1, x - 2, (two){ 0.5, 6.5 }));
    return 0;
}
