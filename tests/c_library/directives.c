// Formats with all kinds of directives, for numbers and texts beyond the limits, and without meaning.
// input: 12 34 word\n
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static int print(FILE *stream, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    errno = 0;
    int length = vfprintf(stream, format, list);
    va_end(list);
    return printf("|%d %d\n", length, errno), length;
}

static void print_to(char *text, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    errno = 0;
    int length = vsnprintf(text, size, format, list);
    va_end(list);
    printf("%d %d %s\n", length, errno, text == 0 ? "" : text);
}

int main(void)
{
    char text[40], *word = 0, *set = 0;
    wchar_t wide[20];
    int n = 0, m = 0, result;
    print_to(text, 40, "ab%99999999999dc", 1);
    print_to(text, 40, "ab%.99999999999dc", 1);
    print(stdout, "[%*2$d][%1$*2$d]", 7, 5);
    print(stdout, "[%*d %2$d]", 7, 5);
    print(stdout, "[%Zd %Zu]", 7L, 1UL << 40);
    print(stdout, "ab%lscd", L"x\x4e00");
    print(stdout, "ab%lccd", 0x4e00);
    print(stdout, "ab%99999999999dc", 1);
    print(stdin, "abc");
    print(stdout, "%3000d|%-3000d|%.3000d|%.2000f|%s", 1, 2, 3, 0.1, "end");
    print(stdout, "%1$s %1$s %2$ld %3$f %3$a %2$*4$ld", "x", 1L << 40, 1.5, 30);
    print(stdout, "%s %n %s", "abc", &n, "d");
    print(stdout, "%lc|%C|%ls|%S|%m|%'d|%qd|%b", L'x', L'y', L"wide", L"text", 5, 7LL, 5);
    result = swprintf(wide, 20, L"%d %s", 12, "abc");
    printf("%d %ls\n", result, wide);
    printf("%d\n", swprintf(wide, 5, L"%d %s", 12, "abc"));
    result = dprintf(77, "%s %d\n", "text", 5);
    printf("%d %d %d\n", result, errno, n);

    result = sscanf("12 34", "%4294967297d %99999999999d", &n, &m);
    printf("%d %d %d\n", result, n, m);
    result = sscanf("word and", "%ms %m[^d]", &word, &set);
    printf("%d %s %s\n", result, word, set);
    free(word);
    free(set);
    result = sscanf("0123456789012345678901234567890123456789", "%mc%ms", &set, &word);
    printf("%d %c %s %zu\n", result, *set, word, strlen(word));
    result = sscanf("xyz", "%C%S", &wide[0], &wide[1]);
    printf("%d %ls\n", result, wide);
    result = sscanf("5 7", "%d %y", &n, &m);
    printf("%d %d %d\n", result, n, m);
    result = scanf("%2$d %1$d", &n, &m);
    printf("%d %d %d\n", result, n, m);
    return 0;
}
