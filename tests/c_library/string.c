#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    }
    return 0;
}
