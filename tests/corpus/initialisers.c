// Initialisers of all forms, of globals and of locals.
// why: nested, partial, designated, by strings and by addresses; compound literals.
// expect: 97001 122087 6 10 113543 30 3 8 one wo 1 five 27 2 0 65021
#include <stdio.h>

struct inner {
    int a[3];
    char name[6];
};

struct outer {
    struct inner x, y[2];
    const int *p;
    int (*f)(int);
};

static int twice(int n) {
    return 2 * n;
}

static int counter = 5, *pointer = &counter, grid[2][3] = {1, 2, 3, [1] = {[2] = 6}};
static struct outer global = {{{1}, "abc"}, {[1] = {.name = "z", .a = {7, 8}}}, &grid[1][2], twice};
static const char *names[] = {"one", "two" + 1, [4] = "five"};
static int *const middle = grid[0] + 1;
int tentative[4];
int tentative[4];

static int show(struct inner s) {
    return s.a[0] + 10 * s.a[1] + 100 * s.a[2] + 1000 * s.name[0];
}

int main(void) {
    int n = 3;
    struct outer local = {.y[0].a[1] = n, .x = {{n, n + 1, n + 2}, {'q'}}, .p = &n, .f = twice};
    struct inner list[] = {[1] = {.a = {[2] = 9}}, {{4}}};
    int *literal = (int[]){1, 2, n}, sum = 0;
    for (int i = 0; i < 3; i++) sum += literal[i] * (i + 1) + list[i].a[0] + list[1].a[i];
    printf("%d %d %d %d ", show(global.x), show(global.y[1]), *global.p, global.f(*pointer));
    printf("%d %d %d %d ", show(local.x), show(local.y[0]), *local.p, local.f(4));
    printf("%s %s %d %s ", names[0], names[1], names[2] == 0, names[4]);
    printf("%d %d %d %d\n", sum, *middle, tentative[3], show((struct inner){{1, 2}, "A"}));
    return 0;
}
