// Attributes in the syntax of C23.
// why: they are as those of GNU C; most have no meaning for the program.
// expect: 11 2 7
#include <stdio.h>
#include <stdlib.h>

struct [[gnu::packed]] packed {
    char a;
    long b;
    short c;
};

[[nodiscard("the result")]] [[deprecated]] static int twice([[maybe_unused]] int x, int y [[maybe_unused]]) {
    return 2 * x;
}

[[noreturn]] static void stop(int number) {
    printf("%d\n", number);
    exit(0);
}

int main(void) {
    [[maybe_unused]] int unused[1] = {[0] = 1};
    printf("%d ", (int)sizeof(struct packed));
    switch (unused[0]) {
    case 1:
        printf("%d ", twice(1, 2));
        [[fallthrough]];
    default:
        stop(7);
    }
}
