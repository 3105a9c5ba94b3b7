// Bit-fields, in variables and in memory.
// why: signed and unsigned ones wrap; units are shared; `sizeof` and padding are those of gcc.
// expect: 1 8 1 9 0 9; 3 -15 0 44 200 298; 7 -1 1 100 200 -1; 4 16 -10
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct flags {
    unsigned a : 3;
    int b : 5;
    bool c : 1;
    unsigned : 0;
    unsigned char d : 7, e;
    long f : 40;
};

static struct flags global = {7, -3, true, 100, 200, -1};

static void change(struct flags *p, int by) {
    p->a += by;
    p->b -= by;
    p->c ^= 1;
    p->d = by;
    p->f = p->f * 2 + by;
}

static void print(const struct flags *p) {
    printf("%d %d %d %d %d %ld; ", p->a, p->b, p->c, p->d, p->e, (long)p->f);
}

int main(void) {
    struct flags local = {.b = 17}, *heap = malloc(sizeof *heap);
    *heap = global;
    change(&local, 9);
    change(heap, 300);
    global.b = 31;
    print(&local);
    print(heap);
    print(&global);
    printf("%d %zu ", (heap->a = 12), sizeof(struct flags));
    printf("%d\n", heap->a++ + ++heap->b);
    free(heap);
    return 0;
}
