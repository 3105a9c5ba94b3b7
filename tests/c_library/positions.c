// Formats that state the positions of their arguments, and other extensions of formats.
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

static void print(const char *format, ...) {
    char text[200];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    printf("%d %s\n", length, text);
}

int main(void) {
    int count = 0, one = 0, two = 0;
    char text[8], rest[8];
    double number;
    wchar_t wide[20];
    print("%2$s %1$s", "a", "b");
    print("%1$d %1$+d %1$#x %1$hhd %%", 300);
    print("%3$d %1$s %2$f", "x", 2.5, 7);
    print("%1$*2$d|%1$-*2$d|%1$*3$d|", 42, 6, -4);
    print("%3$*1$.*2$f|%4$c", 10, 3, 3.14159, 'z');
    print("%2$ld %1$hhd %3$llu", 300, -5L, 18446744073709551615ULL);
    print("%1$s%2$n", "abc", &count);
    print("%1$.3s|%1$5.2s|%1$-6s|", "abcdef");
    print("%9$d %8$d %7$d %6$d %5$d %4$d %3$d %2$d %1$d %10$g", 1, 2, 3, 4, 5, 6, 7, 8, 9, 0.5);
    print("%2$e %1$d %4$g %3$ls", 1, 0.1, L"wide", 2.5);
    print("%2$d %d %d, %2$y, % 1$d", 1, 2);
    print("%b %#B %012lb %I5d %D %T", 5, 6, 7L, 8);
    printf("%2$d %1$s %3$d\n", "one", count, 3);
    count = sscanf("abc 5 2.5", "%3$s %1$d %2$lf", &one, &number, text);
    printf("%d %d %s %g\n", count, one, text, number);
    count = sscanf("7 8 9", "%*d %2$2d %1$hhd", (char *)&one, &two);
    printf("%d %d %d\n", count, one, two);
    count = sscanf("ab]12", "%2$[]a-b]%1$d%3$n", &one, text, &two);
    printf("%d %d %s %d\n", count, one, text, two);
    count = sscanf("12345", "%2$2s%1$1s", rest, text);
    printf("%d %s %s\n", count, text, rest);
    count = swprintf(wide, 20, L"%2$d %1$ls", L"w", 5);
    printf("%d %ls %d\n", count, wide, sscanf("", "%1$d", &one));
    return 0;
}
