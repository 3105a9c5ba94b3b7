// Functions with variable arguments.
// why: `va_list`, also passed on and copied; all types of arguments, also empty structs; a call through a pointer.
// expect: 0 9898 7246.75 303 505
#include <stdarg.h>
#include <stdio.h>

struct pair {
    int one;
    double two;
};

struct empty {};

static double total(const char *types, va_list list) {
    double sum = 0;
    for (; *types; types++) {
        switch (*types) {
            case 'i':
                sum += va_arg(list, int);
                break;
            case 'l':
                sum += va_arg(list, unsigned long);
                break;
            case 'd':
                sum += va_arg(list, double);
                break;
            case 's':
                sum += *va_arg(list, const char *);
                break;
            case 'e':
                va_arg(list, struct empty);
                break;
            case 'p': {
                struct pair p = va_arg(list, struct pair);
                sum += p.one * p.two;
            }
        }
    }
    return sum;
}

static double sum(const char *types, ...) {
    va_list list, again;
    va_start(list, types);
    va_copy(again, list);
    double result = total(types, list);
    va_end(list);
    result += 100 * total(types, again);
    va_end(again);
    return result;
}

int main(void) {
    double (*f)(const char *, ...) = sum;
    struct pair p = {3, 0.5};
    float small = 0.25f;
    char c = 'a';
    struct empty e;
    printf("%g %g %g %g ", sum(""), sum("ii", 1, c), sum("ldsp", 5ul, small, "A", p), f("pp", p, p));
    printf("%g\n", sum("eidee", e, 3, 2.0, e, e));
    return 0;
}
