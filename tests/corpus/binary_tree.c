// A binary search tree: insertion, depth, sum, deletion.
// why: recursion over pointers; a struct with two of them.
// expect: 5 11 13 19 25 26 28 34 38 49 51 57 67 78 80 83 84 86 87 95 depth 7
#include <stdio.h>
#include <stdlib.h>

typedef struct tree {
    struct tree *left, *right;
    int key;
} tree;

static tree *insert(tree *t, int key) {
    if (!t) {
        t = calloc(1, sizeof(tree));
        t->key = key;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else {
        t->right = insert(t->right, key);
    }
    return t;
}

static int depth(const tree *t) {
    if (!t) return 0;
    int left = depth(t->left), right = depth(t->right);
    return 1 + (left > right ? left : right);
}

static void print(const tree *t) {
    if (!t) return;
    print(t->left);
    printf("%d ", t->key);
    print(t->right);
}

static void delete(tree *t) {
    if (t) {
        delete(t->left);
        delete(t->right);
        free(t);
    }
}

int main(void) {
    tree *root = NULL;
    unsigned seed = 1;
    for (int i = 0; i < 20; i++) {
        seed = seed * 1103515245u + 12345u;
        root = insert(root, (int)(seed >> 16) % 100);
    }
    print(root);
    printf("depth %d\n", depth(root));
    delete(root);
    return 0;
}
