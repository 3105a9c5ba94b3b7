// Type specifiers in any order, types of headers, alignment, static assertions, variable arguments.
// why: real declarations combine all of them.
// expect: 3 4 -1 200 6 6
// expect: 5 0 9223372036854775807 1 3
// expect: 6 0
// expect: 1 2.22e-16
#include <stdio.h>
#include <stdint.h>
#include <stdbool.h>
#include <limits.h>
#include <stddef.h>
#include <stdarg.h>
#include <float.h>
static long unsigned int const a = 3; int long long b = 4; short signed int c = -1; char unsigned d = 200;
volatile const int e = 6; int const *const p = (int const *)&e;
static _Noreturn void stop(void) { for (;;) ; }
_Static_assert(sizeof(size_t) == sizeof(ptrdiff_t), "sizes");
_Alignas(16) char buffer[3];
static int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    int s = 0;
    while (n--) s += va_arg(list, int);
    va_end(list);
    return s;
}
int main(void) {
    register int r = 2; auto int s = 3;
    _Static_assert(INT_MAX > 0 && CHAR_BIT == 8, "limits");
    uint8_t u = 255; u++; int64_t i = INT64_MAX; bool t = 42; size_t z = sizeof(buffer);
    if (r > 5) stop();
    printf("%lu %lld %d %d %d %d\n", a, b, c, d, e, *p);
    printf("%d %d %ld %d %lu\n", r + s, u, i, t, z);
    printf("%d %d\n", sum(3, 1, 2, 3), sum(0));
    printf("%d %.3g\n", _Generic(z, unsigned long: 1, default: 2), DBL_EPSILON);
    return 0;
}
