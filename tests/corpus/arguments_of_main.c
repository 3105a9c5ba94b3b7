// A `main` with the parameters `argc` and `argv`.
// why: the name of the program is the only argument, and a null pointer follows it.
// expect: 1 1
// status: 1
#include <stdio.h>
static int length(char **list) {
    int count = 0;
    while (*list++) count++;
    return count;
}
int main(int argc, char *argv[]) {
    printf("%d %d\n", argc, argv[0] != 0);
    argc += 2;
    argv++;
    return argc + length(argv) - 2;
}
