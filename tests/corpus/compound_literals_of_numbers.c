// Compound literals of numbers, read, assigned and pointed to, in operands and in loops.
// why: without a use of its address, such a literal is a variable, which an operand of `?:` may initialise.
// expect: 3 4 52 1 3
// expect: x
// expect: y
// expect: y
// status: 3
#include <stdio.h>

struct pair {
    int a, b;
};

int pointed(int c) {
    return c ? *&(int){c} : 4;
}

int looped(int c) {
    int s = 0;
    for (int i = 0; i < c; i++) {
        s += (i & 1 ? (int){i} : (struct pair){i, 3}.b) + ((int){i} += c ? 5 : 6) + (double){i} / 2;
    }
    return s;
}

int *kept(int c) {
    static int z;
    int *p = c ? &(int){c} : &z;
    z = *p;
    return &z;
}

void entered(int c) {
    switch (c) {
        {
        case 5:
            if (*&(int){c}) puts("x");
        case 0:
            puts("y");
        }
    }
}

int main(void) {
    printf("%d %d %d %d %d\n", pointed(3), pointed(0), looped(5), (int[]){2, 1}[(int){1}], *kept(3));
    entered(5);
    entered(0);
    return (int){3};
}
