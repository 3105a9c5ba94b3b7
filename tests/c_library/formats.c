// Directives that print effects do not have.

#include <errno.h>
#include <stdio.h>

#define gettext(text) ((const char *)(text))

int main(void) {
    char text[100];
    errno = ENOENT;
    printf("%m|%-30m|\n");
    printf("%Lu %qd %Lx\n", 18446744073709551615ull, -3ll, 255ull);
    int length = sprintf(text, "%'d %'10.2f %C", 123456, 6543.21, L'c');
    printf("%d %s %S\n", length, text, L"wide");
    printf(gettext("%d%%\n"), length);
    const char *format = "%'u %Li %m\n";
    printf(format, 4000000000u, -5ll);
    printf("%5.2f%\n%)%y|%-5!|%05K|%+.3?|%z\n", 2.5);
    short count;
    printf("%d%hn%%|%hf %lp%d%n|", 5, &count, 3.5, (void *)0, 6, &length);
    printf("%d %d\n", count, length);
    printf("100%");
    puts("");
}
