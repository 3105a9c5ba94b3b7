#include <stdlib.h>

struct node { struct node *left, *right; };

static struct node *make(int depth) {
    struct node *p = malloc(sizeof *p);
    p->left = depth > 0 ? make(depth - 1) : NULL;
    p->right = depth > 0 ? make(depth - 1) : NULL;
    return p;
}

static int check(struct node *p) {
    if (!p->left)
        return 1;
    return check(p->left) + check(p->right) + 1;
}

static void drop(struct node *p) {
    if (p->left) {
        drop(p->left);
        drop(p->right);
    }
    free(p);
}

int work(int n) {
    int total = 0;
    for (int i = 0; i < 4; i++) {
        struct node *p = make(n);
        total += check(p);
        drop(p);
    }
    return total;
}
