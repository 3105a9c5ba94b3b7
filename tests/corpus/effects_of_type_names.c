// Lengths of arrays in type names, and operands of types of variable length, are evaluated once, where they stand.
// why: C17 6.5.3.4 and 6.7.2.4 evaluate them for types of variable length only.
// expect: casts 1 2
// expect: sizes 1 1 1 1 1 1
// expect: counts 2 4
// expect: typeof 3 4 5 6 7 5
// expect: arguments 123 4
// expect: old 5 -1
#include <stdio.h>

static int c;

static int argument(int i, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, i);
    int *found = *__builtin_va_arg(list, int (*)[++i]);
    __builtin_va_end(list);
    printf("arguments %d %d\n", found[0], i);
    return 0;
}

static int old(number, wide)
    int number;
    long wide;
{
    return printf("old %d %ld\n", number, wide);
}

int main(void) {
    int l = 0;
    static int numbers[3] = {123};
    (int (*)[++l])0;
    printf("casts %d", l);
    (int (*(*)(void))[++l])0;
    printf(" %d\n", l);
    int (*p)[l] = (int (*)[l])numbers;
    printf("sizes %d", sizeof(c++, p) == sizeof(char *));
    printf(" %d", sizeof(*(c++, p)) == 2 * sizeof(int));
    printf(" %d", sizeof(c++, *p) == 2 * sizeof(int));
    printf(" %d", sizeof(int[++l]) == 3 * sizeof(int));
    printf(" %d", sizeof(int[++l][1]) == sizeof(int[4][1]));
    printf(" %d\n", sizeof(int[(c++, 5)]) == 5 * sizeof(int));
    printf("counts %d %d\n", c, l);
    typeof(c++, p) t1;
    printf("typeof %d", c);
    typeof(*(p = (c++, p))) t2;
    printf(" %d", c);
    (typeof(c++, p))0;
    printf(" %d", c);
    (typeof(c++, p)){0};
    printf(" %d", c);
    typeof(typeof(c++, p)) t3;
    typeof(p, c++) not_evaluated;
    printf(" %d", c);
    typeof(int (*)[++l]) t4;
    printf(" %d\n", l);
    argument(3, &numbers);
    old(5L, -1L);
}
