// A `main` that is called by the program, directly and by a pointer, with other arguments.
// why: the run passes the command line to the first call only.
// expect: c b a 10
// expect: 6
#include <stdio.h>
int main(int argc, char **argv);
static int (*const again)(int, char **) = main;
int main(int argc, char **argv) {
    static int calls;
    static char *words[] = { "x", "a", "b", "c", 0 };
    if (calls++ == 0) {
        printf("%d\n", main(4, words));
        calls = -100;
        printf("%d\n", again(argc, argv));
        return 0;
    }
    if (calls < 0) return argv[argc] ? again(argc + 1, argv) : 6 - argc + (argv[0] != 0);
    if (argc == 1) return 7;
    printf("%s ", argv[argc - 1]);
    return main(argc - 1, argv) + 1;
}
