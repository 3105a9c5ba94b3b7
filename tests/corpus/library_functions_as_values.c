// Pointers to library functions, also to those that take variable arguments or end the program.
// why: calls of these functions are operations, so that a pointer needs a function that contains such a call.
// expect: 3 words
// expect: 7
// status: 5
#include <stdio.h>
#include <stdlib.h>

struct pool {
    void *(*take)(size_t);
    void (*give)(void *);
};

static const struct pool heap = {malloc, free};
static int (*const shown[])(const char *, ...) = {printf, (printf)};

static void report(int (*out)(FILE *, const char *, ...), int count) {
    out(stdout, "%d %s\n", count, "words");
}

int main(void) {
    void (*end)(int) = exit;
    int *numbers = heap.take(2 * sizeof *numbers), n = 0;
    report(&fprintf, 3);
    numbers[0] = abs(-3);
    numbers[1] = (&abs)(-4);
    (*shown[1])("%d\n", numbers[0] + numbers[1]);
    heap.give(numbers);
    end((*sscanf)("5", "%d", &n) == 1 && heap.give == free ? n : 1);
}
