// 2 * (3 + 4) in reverse Polish notation.

#include <stdio.h>
#include "stack.h"

static const char *top = "2 3 4 + *";

int main(void) {
    for (const char *p = top; *p; p++) {
        if (*p >= '0' && *p <= '9') {
            push(*p - '0');
        } else if (*p == '+') {
            push(pop() + pop());
        } else if (*p == '*') {
            push(pop() * pop());
        }
    }
    printf("%s = %d, depth %d\n", top, pop(), depth);
    return 0;
}
