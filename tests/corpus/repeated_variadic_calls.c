// Library functions with variable arguments that are called again, on paths of all kinds.
// why: calls can share the pointer to the function, and continuations.
// expect: 7 8
// expect: 0,1,2,
// expect: 5 apples
// expect: 12 34
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char b[40], c[40] = "";
    sprintf(b, "%d", 7);
    sprintf(b + 1, " %d", argc + 7);
    puts(b);
    for (int i = 0; i < 3; i++) sprintf(c + strlen(c), "%d,", i);
    puts(c);
    if (argc == 1 && argv[0]) snprintf(b, sizeof b, "%d %s", 4 + argc, "apples");
    else snprintf(b, sizeof b, "%.2f", 0.5);
    puts(b);
    int one, two;
    sscanf("12", "%d", &one);
    if (one > 20) sscanf("0x12", "%x", &two);
    else sscanf("34", "%d", &two);
    printf("%d %d\n", one, two);
    return 0;
}
