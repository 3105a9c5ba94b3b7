// Alternatives of a format that take arguments of different types.
// why: such a format is known when the program runs only, so that the function of the library prints.
// expect: a 97
// expect: \011 9 \011
// expect: \200 128
// expect: z 7a z
// expect: 1.5
#include <ctype.h>
#include <stdio.h>

int main(void) {
    const char text[] = "a\t\200z";
    char buffer[20];
    for (int i = 0; text[i]; i++) {
        unsigned char c = text[i];
        sprintf(buffer, isprint(c) ? "%c" : "\\%03o", c);
        printf("%s ", buffer);
        printf(i % 2 ? "%x %s\n" : "%d\n", c, buffer);
    }
    return printf(text[0] == 'a' ? "%g\n" : "%d\n", 1.5) != 4;
}
