// Calendar times.
#include <stdio.h>
#include <time.h>

int main(void)
{
    time_t times[] = { 0, 1, 86399, 86400, 951782400, 951868800, 1709164800, 1709251199, 4102444799, -1, -86401, -2208988800,
                       253402300799, 1767225599, 1767225600, 1609459199, 1104537600, 1230768000, 68256000 };
    const char *formats = "%a %A %b %B %c %C %d %D %e %F %g %G %h %H %I %j %m %M %p %r %R %S %T %u %U %V %w %W %x %X %y %Y %%";
    char text[400];
    for (unsigned i = 0; i < sizeof times / sizeof *times; i++) {
        struct tm *found = gmtime(&times[i]), copy = *found;
        printf("%d %d %d %d %d %d %d %d %d\n", copy.tm_year, copy.tm_mon, copy.tm_mday, copy.tm_hour, copy.tm_min,
               copy.tm_sec, copy.tm_wday, copy.tm_yday, copy.tm_isdst);
        printf("%zu %s\n", strftime(text, sizeof text, formats, &copy), text);
        printf("%ld %s", (long)timegm(&copy), asctime(&copy));
    }
    struct tm later = { .tm_year = 99, .tm_mon = 25, .tm_mday = -40, .tm_hour = 49, .tm_min = -61, .tm_sec = 3661 };
    printf("%ld ", (long)timegm(&later));
    printf("%d-%d-%d\n", later.tm_year, later.tm_mon, later.tm_mday);
    printf("%g\n", difftime(100, 40));
    printf("%zu\n", strftime(text, 4, "%Y", &later));
    struct tm odd = { 5, 4, 13, 2, 8, -1000, 3, 251, 0, 0, "Zone" };
    const char *flags[] = { "", "-", "_", "0", "^", "#", "E", "O", "7", "_^12E", "-#04", "08O" };
    for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
        for (const char *each = "aAbBcCdDeFgGhHIjklmMnpPqrRsStTuUVwWxXyYzZ% "; *each != 0; each++) {
            char format[12];
            sprintf(format, "<%%%s%c>", flags[i], *each);
            strftime(text, sizeof text, format, &odd);
            fputs(text, stdout);
        }
    odd.tm_wday = odd.tm_mon = -1;
    printf("%zu %s\n", strftime(text, sizeof text, "%a %b %A %B %", &odd), text);
    return 0;
}
