#include "stack.h"

static int numbers[100];

int depth;

static int *top(void) {
    return &numbers[depth];
}

void push(int number) {
    *top() = number;
    depth++;
}

int pop(void) {
    depth--;
    return *top();
}
