// Formatted output to memory and streams.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char text[1000];

static void show(int length) { printf("%d [%s]\n", length, text); }

static int through_list(const char *format, ...)
{
    va_list list, copy;
    va_start(list, format);
    va_copy(copy, list);
    int length = vsnprintf(text, 12, format, list);
    show(length);
    length = vsprintf(text, format, copy);
    va_end(copy);
    va_end(list);
    return length;
}

static int to_output(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vprintf(format, list);
    va_end(list);
    return length;
}

static int to_stream(FILE *stream, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vfprintf(stream, format, list);
    va_end(list);
    return length;
}

int main(void)
{
    const char *integers[] = { "%d", "%5d|", "%-5d|", "%05d", "%+d", "% d", "%.3d", "%8.3d", "%-8.3d|", "%+.0d", "%x",
                               "%#x", "%#X", "%08x", "%#010x", "%o", "%#o", "%u", "%hd", "%hhd", "%hu", "%hhx", "%i",
                               "%.0d", "%#.0o", "%0-6d|", "%+05d", "%c", "%%%d%%", "%5%|" };
    int values[] = { 0, 1, -1, 42, -12345, 2147483647, -2147483647 - 1 };
    for (unsigned i = 0; i < sizeof integers / sizeof *integers; i++)
        for (unsigned j = 0; j < sizeof values / sizeof *values; j++)
            if (strcmp(integers[i], "%c") != 0 || values[j] == 42)
                show(sprintf(text, integers[i], values[j]));
    const char *longs[] = { "%ld", "%20ld", "%lx", "%lu", "%lld", "%-22llu|", "%zd", "%jd", "%td", "%+ld", "%lo" };
    long large[] = { 0, -1, 9223372036854775807L, -9223372036854775807L - 1, 1234567890123L };
    for (unsigned i = 0; i < sizeof longs / sizeof *longs; i++)
        for (unsigned j = 0; j < sizeof large / sizeof *large; j++)
            show(snprintf(text, sizeof text, longs[i], large[j]));
    const char *strings[] = { "%s", "%10s|", "%-10s|", "%.2s", "%10.1s|", "%.0s", "a%sb" };
    for (unsigned i = 0; i < sizeof strings / sizeof *strings; i++) {
        show(sprintf(text, strings[i], "hello"));
        show(sprintf(text, strings[i], ""));
    }
    show(sprintf(text, "%*d|%-*d|%.*s|%*.*f", 5, 42, 5, 42, 2, "abc", 8, 2, 3.14159));
    show(sprintf(text, "%*d|%.*d", -5, 42, -1, 7));
    show(sprintf(text, "%p %p", (void *)0, (void *)0));
    show(sprintf(text, "%s %d %c %ld %5.1f %x", "mixed", 1, 'c', 2L, 2.25, 255u));
    show(snprintf(text, 5, "%s", "truncated"));
    show(snprintf(text, 1, "%d", 5));
    printf("%d\n", snprintf(0, 0, "%d-%d", 10, 20));
    show(through_list("%d %s %.2f %c", 7, "list", 2.5, 'x'));
    printf("%d\n", to_output("%s=%ld\n", "long", 1L << 40));
    printf("%d\n", to_stream(stdout, "%5.2f|%-6s|%06d\n", -1.005, "ab", -42));
    printf("%d", fputs("fputs\n", stdout));
    printf("%d", fputc('c', stdout));
    putc('\n', stdout);
    printf("%d\n", fprintf(stdout, "to stdout %d\n", 5));
    printf("%zu\n", fwrite("written\n", 1, 8, stdout));
    fprintf(stderr, "to stderr\n");
    const char *format = text[0] != 0 ? "%d chosen %s\n" : "%s\n";
    printf(format, 3, "at run time");
    printf("%d %d %d\n", fflush(stdout), ferror(stdout), feof(stdout));
    return fileno(stderr);
}
