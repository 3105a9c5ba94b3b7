#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *texts[] = {"", "a", "b", "ab", "abc", "abd", "aab", "abcabd", "cab", "a\xff", "a,b;;c,", ",;"};
enum { COUNT = sizeof texts / sizeof *texts };

static int sign(int n) { return (n > 0) - (n < 0); }

static long at(const char *base, const void *found) { return found == 0 ? -1 : (const char *)found - base; }

static void compare(const char *x, const char *y) {
    printf("[%s] [%s] %ld %ld %lu %lu", x, y, at(x, strstr(x, y)), at(x, strpbrk(x, y)), strspn(x, y), strcspn(x, y));
    for (int n = 0; n < 4; n++) {
        char target[20] = "xy";
        printf(" %d [%s]", sign(strncmp(x, y, n)), strncat(target, x, n));
        strncpy(target, y, n);
        printf(" [%s]", target);
    }
    char joined[20];
    strcat(strcpy(joined, x), y);
    char *copy = strdup(joined);
    printf(" %s\n", copy);
    free(copy);
}

int main(void) {
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++)
            compare(texts[i], texts[j]);
    for (int i = 0; i < COUNT; i++) {
        const char *x = texts[i];
        for (int c = 'a'; c < 'd'; c++)
            printf("%ld %ld %ld ", at(x, strchr(x, c)), at(x, strrchr(x, c)), at(x, memchr(x, c, strlen(x))));
        printf("%ld %ld %ld\n", at(x, strchr(x, 0)), at(x, strrchr(x, 0)), at(x, strchr(x, 255)));
        char words[20];
        strcpy(words, x);
        for (char *word = strtok(words, ",;"); word != 0; word = strtok(0, ",;"))
            printf("<%s>", word);
        printf("\n");
        char *rest;
        strcpy(words, x);
        for (char *word = strtok_r(words, "a", &rest); word != 0; word = strtok_r(0, "a", &rest))
            printf("<%s>", word);
        char *part = strndup(x, 2);
        printf(" %s %zu %zu\n", part, strnlen(x, 3), strxfrm(words, x, sizeof words));
        free(part);
        printf("%ld %s\n", (long)(stpcpy(words, x) - words), words);
    }
    printf("%d %d\n", strcoll("a", "b") < 0, strcoll("b", "b"));
    printf("%d %d %d", strcasecmp("HeLLo", "hEllO"), strcasecmp("abc", "ABD") < 0, strcasecmp("b", "A") > 0);
    printf(" %d %d\n", strncasecmp("ABx", "aby", 2), strncasecmp("a", "B", 1) < 0);
    for (int number = -1; number < 135; number++)
        if (number <= 5 || (number >= 9 && number <= 14) || number == 17 || (number >= 20 && number <= 25)
            || (number >= 27 && number <= 30) || (number >= 32 && number <= 34) || number == 84 || number == 134)
            printf("%s\n", strerror(number));
    return 0;
}
