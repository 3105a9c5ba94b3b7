// Arithmetic, comparisons and shuffles of vectors of GNU C.
// why: each operation is one on the elements; numbers as operands are repeated, and vectors become variables.
// expect: 10 -37 98 15
// expect: 7 14 14 16
// expect: 2 4 8 16
// expect: 9 -21 29 -1
// expect: 0 0 -1 -1
// expect: -1 -1 -1 0
// expect: 1 1 1 1
// expect: 22 -72 66 8
// expect: 3 3 0.1875 0
// expect: -1 -1 0 0
// expect: 24 24 1 0
// expect: 4 10 a0a0a0a0d0c0b04
// expect: 4 3
// expect: 8 66 -72 22
// expect: 22 10 0 -72
// expect: 10 -20 30 0
// expect: 255 0 1 1010202030304
#include <stdio.h>

typedef int four __attribute__((vector_size(16)));
typedef unsigned four_unsigned __attribute__((vector_size(16)));
typedef float four_floats __attribute__((__vector_size__((4) * sizeof(float))));
typedef unsigned char eight_bytes __attribute__((vector_size(8)));

static void show(four v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }
static four sum(four a, four b) { return a + b; }

static four_unsigned larger(four_unsigned v) {
    return v > 9;
}

int main(void) {
    four a = {1, 2, 3, 4}, b = {10, -20, 30};
    show(sum(a, b) * a - 1);
    show((b / 3 % 4 & 7) ^ (a << 2));
    show(1 << a);
    show(~-b);
    show((a > 2) - (a == b));
    show((four_unsigned)b > 5u);
    a += b;
    a[1] *= 2;
    a++;
    four before = a--;
    show(before - a);
    a <<= 1;
    show(a);
    four_floats f = {1.5f, -2, 0.25f};
    f = f / 2 + f * f;
    printf("%g %g %g %g\n", f[0], f[1], f[2], f[3]);
    show(f > 0.5f);
    show(__builtin_convertvector(f * 8, four));
    eight_bytes u = {250, 1, 2, 3};
    u += 10;
    printf("%d %d %lx\n", u[0], u[7], (unsigned long)u);
    u = (eight_bytes)0x0102030405060708L >> 1;
    printf("%d %d\n", u[0], u[1]);
    show(__builtin_shuffle(a, (four){3, 2, 1, 4}));
    show(__builtin_shuffle(a, b, (four){0, 4, -1, 1}));
    show(a[0] > 100 ? a : b);
    eight_bytes large = u > 2;
    large &= u != 3;
    printf("%d %d %d %lx\n", large[0], large[1], larger((four_unsigned)a)[1] == -1u, (unsigned long)((large & u) | (u & ~large)));
    return 0;
}
