// Input through lists of arguments.
// input: 12 -7 word 34
#include <stdarg.h>
#include <stdio.h>

static int from_text(const char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vsscanf(text, format, list);
    va_end(list);
    return count;
}

static int from_stream(FILE *stream, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vfscanf(stream, format, list);
    va_end(list);
    return count;
}

static int from_input(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vscanf(format, list);
    va_end(list);
    return count;
}

int main(void)
{
    int a = 0, b = 0;
    char word[10];
    printf("%d", from_text("7,8", "%d,%d", &a, &b));
    printf(" %d %d\n", a, b);
    printf("%d", from_stream(stdin, "%d%d", &a, &b));
    printf(" %d %d\n", a, b);
    printf("%d", from_input("%9s %d", word, &b));
    printf(" %s %d\n", word, b);
    return 0;
}
