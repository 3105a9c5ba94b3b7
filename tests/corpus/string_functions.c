// Functions on strings, written by hand.
// why: pointers to characters that move, and arrays of them that are initialised in all ways.
// expect: Hello olleH -321 7 abc haystack 7 xy ok 0 missing
#include <stdio.h>
#include <string.h>

static char *copy(char *to, const char *from) {
    char *start = to;
    while ((*to++ = *from++))
        ;
    return start;
}

static void reverse(char *s) {
    char *end = s;
    while (*end) end++;
    while (s < --end) {
        char c = *s;
        *s++ = *end;
        *end = c;
    }
}

static const char *find(const char *text, const char *part) {
    for (; *text; text++) {
        size_t i = 0;
        while (part[i] && text[i] == part[i]) i++;
        if (!part[i]) return text;
    }
    return NULL;
}

static int to_number(const char *s) {
    int n = 0, sign = *s == '-' ? s++, -1 : 1;
    while (*s >= '0' && *s <= '9') n = 10 * n + *s++ - '0';
    return sign * n;
}

int main(void) {
    char buffer[32], exact[3] = "abc", longer[8] = "xy", listed[] = {'o', 'k', 0}, joined[] = "one " "two";
    printf("%s ", copy(buffer, "Hello"));
    reverse(buffer);
    printf("%s %d %zu %c%c%c ", buffer, to_number("-321"), strlen(joined), exact[0], exact[1], exact[2]);
    const char *text = "needle in a haystack";
    printf("%s %td ", find(text, "hay"), find(text, "in") - text);
    printf("%s %s %d %s\n", longer, listed, longer[7], find(text, "pin") ? "found" : "missing");
    return 0;
}
