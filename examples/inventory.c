// An inventory: a list of structs, sorted by a function that the caller chooses.
//
// why: arrays of structs, pointers into them, `malloc`, strings, and pointers to functions.
// expect: bolt 40 gear 12 nail 7 spring 25
// expect: nail 7 gear 12 spring 25 bolt 40
// expect: 84 parts of 4 kinds
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    const char *name;
    int count;
};

struct inventory {
    struct item *items;
    int used, room;
};

void add(struct inventory *all, const char *name, int count) {
    if (all->used == all->room) {
        all->room = all->room ? 2 * all->room : 2;
        all->items = realloc(all->items, (size_t)all->room * sizeof *all->items);
    }
    all->items[all->used++] = (struct item){.name = name, .count = count};
}

int by_name(const struct item *a, const struct item *b) {
    return strcmp(a->name, b->name);
}

int by_count(const struct item *a, const struct item *b) {
    return a->count - b->count;
}

void sort(struct inventory *all, int (*compare)(const struct item *, const struct item *)) {
    for (int i = 1; i < all->used; i++) {
        struct item moved = all->items[i];
        int at = i;
        while (at > 0 && compare(&moved, &all->items[at - 1]) < 0) {
            all->items[at] = all->items[at - 1];
            at--;
        }
        all->items[at] = moved;
    }
}

void print(const struct inventory *all) {
    for (int i = 0; i < all->used; i++) {
        printf("%s %d%s", all->items[i].name, all->items[i].count, i + 1 < all->used ? " " : "\n");
    }
}

int main(void) {
    struct inventory all = {0};
    add(&all, "nail", 7);
    add(&all, "gear", 12);
    add(&all, "bolt", 40);
    add(&all, "spring", 25);
    sort(&all, by_name);
    print(&all);
    sort(&all, by_count);
    print(&all);
    int sum = 0;
    for (const struct item *item = all.items; item < all.items + all.used; item++) sum += item->count;
    printf("%d parts of %d kinds\n", sum, all.used);
    free(all.items);
    return 0;
}
