// Functions that are operations of the program, as values.

#include <stdio.h>
#include <stdlib.h>

struct hooks {
    void *(*allocate)(size_t), *(*clear)(size_t, size_t), *(*resize)(void *, size_t);
    void (*release)(void *);
};

static struct hooks hooks = { malloc, calloc, realloc, free };

static int applied(int (*function)(int), int number) { return function(number); }

static void show(int number) { printf("%d\n", number); }

int main(void) {
    int (*print)(const char *) = puts;
    char *text = hooks.allocate(4);
    text[0] = 'a';
    text[1] = 0;
    text = hooks.resize(text, 100);
    print(text);
    hooks.release(text);
    void *(*clear)(size_t, size_t) = hooks.allocate == malloc ? hooks.clear : 0;
    int *zeros = clear(10, sizeof *zeros);
    show(zeros[9]);
    free(zeros);
    long (*of_long)(long) = labs;
    long long (*of_long_long)(long long) = llabs;
    show(applied(abs, -3) + of_long(-4) + of_long_long(-5));
    applied(putchar, '\n');
    void (*stop)(void) = abort, (*end)(int) = exit;
    if (!hooks.release)
        stop();
    end(applied(abs, -7));
}
