#include <stdio.h>
typedef float v4 __attribute__((vector_size(16)));
typedef int i4 __attribute__((vector_size(16)));
typedef unsigned char b8 __attribute__((vector_size(8)));
typedef double d2 __attribute__((vector_size(16)));
typedef float v3 __attribute__((ext_vector_type(3)));
struct S { int a; v4 b; char c; };
struct S s = {1, {1,2,3,4}, 5};
static i4 table[2] = {{1,2,3,4},{5,6,7,8}};
static float get(v4 x, int i) { return x[i]; }
static v4 set(v4 x, int i, float f) { x[i] = f; return x; }
__attribute__((noinline)) v4 fma4(v4 a, v4 b, v4 c) { return a * b + c; }
int main(int argc, char **argv) {
  v4 a = {1, 2, 3, 4}, b = {0.5f, -1, 8, 2};
  v4 c = fma4(a, b, a - b) / (a + 1.0f);
  for (int i = 0; i < 4; i++) printf("%g ", get(c, i));
  c = set(c, argc, 42); printf("%g %g\n", c[1], -c[0]);
  i4 x = {1, -2, 3, -4}, y = table[argc];
  i4 z = (x << 2) ^ (y % 3), m = x < y, n = (x / y) & ~y | (x >> 1);
  for (int i = 0; i < 4; i++) printf("%d,%d,%d ", z[i], m[i], n[i]);
  i4 k = a > b, w = __builtin_shufflevector(x, y, 0, 5, 2, 7);
  printf("%d %d %d %d %d %d\n", k[0], k[1], k[2], k[3], w[1], w[3]);
  b8 p = {250, 1, 2, 3, 4, 5, 6, 255}; p += (b8){10, 1, 1, 1, 1, 1, 1, 1};
  printf("%d %d %zu\n", p[0], p[7], sizeof(struct S));
  d2 d = __builtin_convertvector((__attribute__((vector_size(8))) float){1.5f, 2.5f}, d2); printf("%g %g\n", d[0], d[1]);
  union { v4 f; i4 i; long l[2]; } u = { .f = a }; printf("%x %lx\n", u.i[0], u.l[1]);
  i4 bits = (i4)a; printf("%x\n", bits[3]);
  v3 t = {1, 2, 3}, arr[2] = {{4, 5, 6}, {7, 8, 9}}; t += arr[argc]; printf("%g %g %zu\n", t.x, t.z, sizeof arr);
  printf("%g %d\n", s.b[2] + s.a, s.c);
  int r = __builtin_reduce_add(x); printf("%d %d %g\n", r, __builtin_reduce_max(y), (double)__builtin_elementwise_max(a, b)[1]);
  return 0;
}
// 0.5 0.333333 4.75 2 42 -0.5
// 6,-1,0 -8,-1,-1 13,-1,1 -14,-1,-2 -1 -1 0 -1 6 8
// 4 0 48
// 1.5 2.5
// 3f800000 4080000040400000
// 40800000
// 8 12 32
// 4 5
// -2 8 2
