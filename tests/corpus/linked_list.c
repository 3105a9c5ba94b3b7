// A singly linked list: insertion in order, reversal, removal.
// why: structs with pointers to their own type, and memory from `malloc` and `free`.
// expect: 9 8 7 5 4 2 1 9 7 5 1 
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *insert(struct node *list, int value) {
    if (list == NULL || value < list->value) {
        struct node *new = malloc(sizeof *new);
        new->value = value;
        new->next = list;
        return new;
    }
    list->next = insert(list->next, value);
    return list;
}

struct node *reversed(struct node *list) {
    struct node *result = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

void remove_even(struct node **link) {
    while (*link) {
        struct node *node = *link;
        if (node->value % 2 == 0) {
            *link = node->next;
            free(node);
        } else {
            link = &node->next;
        }
    }
}

int main(void) {
    int values[] = {5, 2, 9, 4, 1, 8, 7};
    struct node *list = NULL;
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) list = insert(list, values[i]);
    list = reversed(list);
    for (struct node *n = list; n; n = n->next) printf("%d ", n->value);
    remove_even(&list);
    for (struct node *n = list; n; n = n->next) printf("%d ", n->value);
    printf("\n");
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
