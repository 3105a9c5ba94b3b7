// Lists of arguments of functions for wide characters.
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

int main(void)
{
    int length = print(L"%5d|%s|%ls|%6.2f|%lc|%c|%8ls|%-5.2ls|\n", 42, "bytes", L"wide", 2.5, L'x', 'y', L"abc", L"def");
    return print(L"%ls", text) == length;
}
