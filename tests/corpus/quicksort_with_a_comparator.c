// Quicksort of any objects, with a function that compares them.
// why: pointers to functions as arguments, `void *`, and copies byte by byte.
// expect: Mia Zoe Bob Eve Adam Adam 45 Bob 22 Eve 31 Mia 7 Zoe 19 
#include <stdio.h>
#include <string.h>

struct person {
    char name[8];
    int age;
};

static int by_age(const void *a, const void *b) {
    return ((const struct person *)a)->age - ((const struct person *)b)->age;
}

static int by_name(const void *a, const void *b) {
    const struct person *p = a, *q = b;
    return strcmp(p->name, q->name);
}

static void swap(char *a, char *b, size_t size) {
    while (size--) {
        char t = *a;
        *a++ = *b;
        *b++ = t;
    }
}

static void sort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *first = base;
    if (count < 2) return;
    swap(first, first + count / 2 * size, size);
    size_t last = 0;
    for (size_t i = 1; i < count; i++) {
        if (compare(first + i * size, first) < 0) swap(first + ++last * size, first + i * size, size);
    }
    swap(first, first + last * size, size);
    sort(first, last, size, compare);
    sort(first + (last + 1) * size, count - last - 1, size, compare);
}

int main(void) {
    struct person people[] = {{"Eve", 31}, {"Adam", 45}, {"Mia", 7}, {"Bob", 22}, {"Zoe", 19}};
    size_t count = sizeof people / sizeof people[0];
    sort(people, count, sizeof *people, by_age);
    for (size_t i = 0; i < count; i++) printf("%s ", people[i].name);
    sort(people, count, sizeof *people, &by_name);
    for (size_t i = 0; i < count; i++) printf("%s %d ", people[i].name, people[i].age);
    printf("\n");
    return 0;
}
