// Static objects whose flexible array members are initialised.
// why: such an object is larger than its type; each has its own size.
// expect: 2 6 hello 4 12 8
// expect: 1 0 3 0 9 3 ab
// expect: 7 8
// expect: 3 6 0 5 6 foo
// expect: 1 2 3 0 0 0 0 0 7 8 9
#include <stdio.h>
struct numbers { int n; int a[]; };
static struct numbers three = { 3, { 1, 2, 3 } }, none = { 1 };
struct text { short n; char name[]; } text = { 2, "hello" };
const struct numbers designated = { .a = { [2] = 3, 9 }, .n = 1 };
struct rows { char c; short m[][2]; } rows = { 'a', { { 1, 2 }, { 3 } } };
struct packed { char c; int n; char rest[]; } __attribute__((packed)) packed = { 'p', 9, { 'a', 'b' } };
struct list { struct numbers *first; char *names[]; } list = { &three, { "a", "bc" } };
struct numbers plain = { 3, 1, 2, 3 }, late = { .n = 3, .a[1] = 5, 6 };
struct pairs { char n; struct { int x, y; } a[]; } pairs = { 2, 1, 2, 3 }, deep = { 2, .a[1].y = 7, 8, 9 };
struct { char first, rest[]; } letters = { 'f', 'o', 'o', 0 };
static int sum(const struct numbers *s) { int sum = 0; for (int i = 0; i < s->n; i++) sum += s->a[i]; return sum; }
int main(void) {
    static struct numbers local = { 2, { 3, 4 } };
    three.a[0]--;
    printf("%d %d %s %zu %d %zu\n", three.a[1], sum(&three) + 1, text.name, sizeof three, rows.m[1][0] * 4, sizeof(struct list));
    printf("%d %d %d %d %d %d %c%c\n", none.n, designated.a[0], designated.a[2], designated.a[1], designated.a[3], rows.m[1][0],
           packed.rest[0], list.names[1][0]);
    printf("%d %d\n", sum(&local), list.first->a[2] + sum(list.first));
    printf("%d %d %d %d %d %s\n", plain.a[2], sum(&plain), late.a[0], late.a[1], late.a[2], (char *)&letters);
    for (int i = 0; i < 2; i++) printf("%d %d ", pairs.a[i].x, pairs.a[i].y);
    printf("%d ", deep.n - 2);
    for (int i = 0; i < 2; i++) printf("%d %d ", deep.a[i].x, deep.a[i].y);
    printf("%d %d\n", deep.a[2].x, deep.a[2].y);
}
