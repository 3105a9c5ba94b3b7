// Pointers to pointers of more levels than emitted C declares, and one that points to itself.
// why: each level that is read has the type that the expression for it has in C.
// expect: 6 5
// expect: 1 7
#include <stdio.h>
static signed char value = 5;
static signed char *a = &value;
static signed char **b = &a;
static signed char ***c[2] = {&b, &b};
static signed char ****d = &c[0];
static signed char *****e = &d;
static signed char ******f = &e;
static signed char *******g[3] = {&f, &f, &f};
static signed char ********h = &g[1];
static void *self = &self;
struct node { struct node **next; void *other; } first, *all[2] = {&first, &first};
int main(void) {
    ******f += 1;
    printf("%d ", ********h);
    h = &g[2];
    *d = &b;
    --*******h[-1];
    printf("%d\n", *****e);
    void **again = self;
    first.next = &all[1];
    (*(*first.next)->next)->other = &first.other;
    ********h = 7;
    printf("%d %d\n", ((void **)*again)[0] == (void *)&self && *(void **)first.other == first.other, value);
    return 0;
}
