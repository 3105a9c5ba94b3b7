#include <stdlib.h>

static int occurrences(const char *text, const char *pattern) {
    int count = 0;
    for (int i = 0; text[i]; i++) {
        int j = 0;
        while (pattern[j] && text[i + j] == pattern[j])
            j++;
        if (!pattern[j])
            count++;
    }
    return count;
}

int work(int n) {
    char *text = malloc(n + 1);
    unsigned seed = 42;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        text[i] = 'a' + (seed >> 24) % 2;
    }
    text[n] = 0;
    int count = occurrences(text, "abbab");
    free(text);
    return count;
}
