// Standard input and output by characters, lines, bytes and system calls, which each engine and target makes itself.
// input: one\ntwo words\n\nlast line without end
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char line[20];
    int c = getchar();
    printf("%c %d\n", c, ungetc('O', stdin));
    while (fgets(line, sizeof line, stdin) != NULL && strlen(line) > 1)
        printf("%zu %s", strlen(line), line);
    fputs("then ", stdout);
    fflush(stdout);
    printf("%zd\n", write(1, "bytes\0", 6));
    while ((c = getchar()) != EOF)
        putchar(c == ' ' ? '_' : c);
    puts("");
    printf("%d %d %zu\n", feof(stdin) != 0, getchar(), fwrite("\xff\n", 1, 2, stdout));
    return fputs("error", stderr) < 0;
}
