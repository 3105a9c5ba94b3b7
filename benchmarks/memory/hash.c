#include <stdlib.h>

struct entry { int key; int count; };

static int insert(struct entry *table, int mask, int key) {
    int i = (key * 7919) & mask;
    while (table[i].count && table[i].key != key)
        i = (i + 1) & mask;
    table[i].key = key;
    return ++table[i].count;
}

int work(int n) {
    int size = 1024;
    while (size < n)
        size *= 2;
    struct entry *table = calloc(size, sizeof *table);
    unsigned seed = 42;
    int repeated = 0;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        if (insert(table, size - 1, (seed >> 8) % (n / 2)) > 1)
            repeated++;
    }
    free(table);
    return repeated;
}
