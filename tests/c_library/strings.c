// Functions of <strings.h>, of <string.h> in glibc, of <inttypes.h>, and lines without limits.
// input: a,b c\n\nlast
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

char *gets(char *);

static void scan(const char *text, const char *format)
{
    char first[20] = "-", second[20] = "-";
    int count = sscanf(text, format, first, second);
    printf("%s %s: %d %s %s\n", text, format, count, first, second);
}

int main(void)
{
    char line[100], copy[10] = { 0 }, *rest = line, *part;
    while (gets(line) != 0)
        printf("[%s] ", line);
    strcpy(line, "a,b c,,d");
    while ((part = strsep(&rest, ", ")) != 0)
        printf("[%s] ", part);
    printf("\n%d %d %d %d %d\n", ffs(0), ffs(8), ffsl(1L << 40), ffsll(-1), ffs(-2147483647 - 1));
    printf("%s %s %d\n", index("hello", 'l'), rindex("hello", 'l'), index("hello", 'x') == 0);
    printf("%s [%s] %s %d\n", strchrnul("abc", 'b'), strchrnul("abc", 'x'), strcasestr("Hello World", "WORLD"), strcasestr("Hell", "World") == 0);
    printf("%d\n", (int)((char *)mempcpy(copy, "abc", 3) - copy));
    printf("%d %d\n", (int)((char *)memccpy(copy, "xyz", 'y', 3) - copy), memccpy(copy, "xyz", 'a', 2) == 0);
    part = memrchr(copy, 'y', 3);
    printf("%s %d %d\n", part, memrchr(copy, 'x', 0) == 0, bcmp(copy, "xyc", 3));
    bzero(copy, 2);
    bcopy("12", copy + 4, 2);
    printf("%d%d %s\n", copy[0], copy[1], copy + 4);
    scan("any_255", "%[0-1-9a-b-z]");
    scan("9-a", "%[9-0z-a]");
    scan("x-]y", "%[^]-]%[]-]");
    int8_t small;
    uint64_t large;
    printf("%d", sscanf("12 99999999999", "%" SCNd8 " %" SCNu64, &small, &large));
    printf(" %d %" PRIu64 " %jd %jd %ju\n", small, large, imaxabs(-7), strtoimax("-12", 0, 10), strtoumax("ff", 0, 16));
    struct timespec time = { 0, 5 };
    printf("%d", nanosleep(&time, 0));
    time.tv_nsec = -1;
    printf(" %d %d %u\n", nanosleep(&time, 0), usleep(1), sleep(0));
    return 0;
}
