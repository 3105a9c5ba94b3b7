// Objects of `alloca`, linked in a loop.
// why: each execution makes another object, which outlives its block.
// expect: hello 45 4950
#include <alloca.h>
#include <stdio.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

static int sum(int n) {
    struct node *first = 0;
    for (int i = 0; i < n; i++) {
        struct node *node = alloca(sizeof *node);
        node->value = i;
        node->next = first;
        first = node;
    }
    int total = 0;
    for (; first; first = first->next) total += first->value;
    return total;
}

int main(void) {
    char *text = __builtin_alloca(6);
    strcpy(text, "hello");
    printf("%s %d %d\n", text, sum(10), sum(100));
    return 0;
}
