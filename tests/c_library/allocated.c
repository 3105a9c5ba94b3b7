#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *printed(const char *format, ...) {
    char *text = "unchanged";
    va_list list;
    va_start(list, format);
    int length = vasprintf(&text, format, list);
    va_end(list);
    printf("%d ", length);
    return text;
}

struct pair { long key, value; };

int main(void) {
    char *text;
    printf("%d ", asprintf(&text, "%s-%05d-%.3f", "abc", 42, 1.5));
    printf("[%s] %zu\n", text, strlen(text));
    free(text);
    text = printed("%*d%c%s", 12, -7, '!', "a longer text that is appended to the number");
    printf("[%s]\n", text);
    text[0] = '+';
    puts(text);
    free(text);
    text = printed("");
    printf("[%s]\n", text);
    free(text);
    struct pair *pairs;
    void *place = &place;
    printf("%d\n", posix_memalign((void **)&pairs, 64, 4 * sizeof *pairs));
    for (int i = 0; i < 4; i++) pairs[i] = (struct pair){i, i * i};
    printf("%ld %ld %d\n", pairs[3].key, pairs[3].value, (int)((unsigned long)pairs % 64));
    free(pairs);
    printf("%d ", posix_memalign(&place, 12, 8) == EINVAL);
    printf("%d ", posix_memalign(&place, 4, 8) == EINVAL);
    printf("%d ", posix_memalign(&place, 0, 8) == EINVAL);
    printf("%d\n", place == &place);
    printf("%d\n", posix_memalign(&place, 4096, 1));
    free(place);
    return 0;
}
