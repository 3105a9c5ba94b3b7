// The end of a program: functions that are called then, in the reverse order, also when main returns.
#include <stdio.h>
#include <stdlib.h>

static int depth;

static void first(void) { puts("first"); }
static void second(void) { printf("second %d\n", depth); }
static void adding(void)
{
    puts("adding");
    atexit(first);
}
static void quick(void) { puts("never"); }

static int recursive(int n)
{
    depth++;
    return n ? recursive(n - 1) + 1 : 0;
}

int main(void)
{
    if (atexit(first) || atexit(second) || atexit(adding) || at_quick_exit(quick))
        return 1;
    for (int i = 0; i < 40; i++)
        if (atexit(i % 20 ? second : first))
            return 2;
    if (recursive(3) == 2) {
        exit(9);
        quick_exit(8);
    }
    if (depth == 2)
        _Exit(7);
    return 4;
}
