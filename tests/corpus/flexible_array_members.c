// Static objects whose flexible array members are initialised.
// why: such an object is larger than its type; each has its own size.
// expect: 2 6 hello 4 12 8
// expect: 1 0 3 0 9 3 ab
// expect: 7 8
#include <stdio.h>
struct numbers { int n; int a[]; };
static struct numbers three = { 3, { 1, 2, 3 } }, none = { 1 };
struct text { short n; char name[]; } text = { 2, "hello" };
const struct numbers designated = { .a = { [2] = 3, 9 }, .n = 1 };
struct rows { char c; short m[][2]; } rows = { 'a', { { 1, 2 }, { 3 } } };
struct packed { char c; int n; char rest[]; } __attribute__((packed)) packed = { 'p', 9, { 'a', 'b' } };
struct list { struct numbers *first; char *names[]; } list = { &three, { "a", "bc" } };
static int sum(const struct numbers *s) { int sum = 0; for (int i = 0; i < s->n; i++) sum += s->a[i]; return sum; }
int main(void) {
    static struct numbers local = { 2, { 3, 4 } };
    three.a[0]--;
    printf("%d %d %s %zu %d %zu\n", three.a[1], sum(&three) + 1, text.name, sizeof three, rows.m[1][0] * 4, sizeof(struct list));
    printf("%d %d %d %d %d %d %c%c\n", none.n, designated.a[0], designated.a[2], designated.a[1], designated.a[3], rows.m[1][0],
           packed.rest[0], list.names[1][0]);
    printf("%d %d\n", sum(&local), list.first->a[2] + sum(list.first));
}
