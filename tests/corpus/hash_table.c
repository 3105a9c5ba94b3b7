// A hash table of words with chains.
// why: arrays of pointers, strings, `strcmp`, and the address of a pointer.
// expect: the 3, cat 1, and 2, the 3, dog 1, and 2, the 3, bird 1
// expect: 4 buckets
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 8 };

struct entry {
    const char *word;
    int count;
    struct entry *next;
};

static struct entry *table[BUCKETS];

static unsigned hash(const char *s) {
    unsigned h = 5381;
    while (*s) h = h * 33 + (unsigned char)*s++;
    return h;
}

static struct entry *find(const char *word) {
    struct entry **link = &table[hash(word) % BUCKETS];
    while (*link && strcmp((*link)->word, word) != 0) link = &(*link)->next;
    if (!*link) {
        *link = malloc(sizeof **link);
        **link = (struct entry){.word = word};
    }
    return *link;
}

int main(void) {
    static const char *const words[] = {"the", "cat", "and", "the", "dog", "and", "the", "bird"};
    for (int i = 0; i < 8; i++) find(words[i])->count++;
    for (int i = 0; i < 8; i++) printf("%s %d%s", words[i], find(words[i])->count, i < 7 ? ", " : "\n");
    int used = 0;
    for (int i = 0; i < BUCKETS; i++) {
        used += table[i] != NULL;
        for (struct entry *e = table[i]; e;) {
            struct entry *next = e->next;
            free(e);
            e = next;
        }
    }
    printf("%d buckets\n", used);
    return 0;
}
