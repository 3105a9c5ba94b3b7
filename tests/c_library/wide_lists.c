// Lists of arguments of functions for wide characters.
// input: 12 abc 0x1f\n7 8
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

static wchar_t text[100];

static int print(const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vwprintf(format, list);
    va_end(list);
    va_start(list, format);
    vfwprintf(stdout, format, list);
    va_end(list);
    va_start(list, format);
    vswprintf(text, 100, format, list);
    va_end(list);
    return length;
}

static int scan(const wchar_t *source, const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = source ? vswscanf(source, format, list) : vwscanf(format, list);
    va_end(list);
    return count;
}

static int scan_input(const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vfwscanf(stdin, format, list);
    va_end(list);
    return count;
}

int main(void)
{
    int number, other;
    char word[9];
    wchar_t *end, digits[] = L"-12x";
    int count = scan(L"5 6", L"%d%d", &number, &other);
    wprintf(L"%d %d", count, number + other);
    count = scan(0, L"%d %8s", &number, word);
    wprintf(L" %d %d %s", count, number, word);
    count = scan_input(L"%i%d", &number, &other);
    wprintf(L" %d %d", count, number * other);
    intmax_t value = wcstoimax(digits, &end, 10);
    wprintf(L" %jd %ju %td\n", value, wcstoumax(L"ff", 0, 16), end - digits);
    int length = print(L"%5d|%s|%ls|%6.2f|%lc|%c|%8ls|%-5.2ls|\n", 42, "bytes", L"wide", 2.5, L'x', 'y', L"abc", L"def");
    return print(L"%ls", text) == length;
}
