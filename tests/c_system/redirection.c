// Writes standard output to a file.
#include <stdio.h>

int main(void)
{
    char text[100];
    printf("first\n");
    FILE *file = freopen("redirected", "w", stdout);
    printf("%d\n", file == stdout && fileno(stdout) == 1);
    puts("line");
    putchar('c');
    fputs("haracter\n", stdout);
    fflush(stdout);
    FILE *back = fopen("redirected", "r");
    size_t size = fread(text, 1, sizeof text, back);
    fclose(back);
    freopen("redirected", "a", stdout);
    printf("appended after %d\n", (int)size);
    return fclose(stdout) + (int)size;
}
