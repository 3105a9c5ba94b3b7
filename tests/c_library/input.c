// Formatted input from strings and from standard input, and lines.
// input: 12 -7 0x1f word another,third  3.5e2 0x1p4 nan\n[abc]def 99999999999 -99999999999\nline two is here\n\n  spaces first\n100 200 300\nx = 7, y = -8\n12abc\n%5\nlast line without end
#include <stdio.h>
#include <string.h>

static char word[50], other[50];

static void scan(const char *text, const char *format)
{
    int a = -1, b = -1, c = -1;
    int count = sscanf(text, format, &a, &b, &c);
    printf("%d: %d %d %d\n", count, a, b, c);
}

int main(void)
{
    int n = 0, m = 0, h = 0;
    double d = 0, e = 0;
    float f = 0;
    long l = 0;
    short s = 0;
    signed char tiny = 0;
    unsigned u = 0;
    printf("%d", scanf("%d%d%i", &n, &m, &h));
    printf(" %d %d %d\n", n, m, h);
    printf("%d", scanf("%s %[^,],%s", word, other, word + 20));
    printf(" %s %s %s\n", word, other, word + 20);
    printf("%d", scanf("%lf %lf %f", &d, &e, &f));
    printf(" %g %g %d\n", d, e, f != f);
    printf("%d", scanf(" [%3[a-c]]%n%c%2s", word, &n, other, other + 10));
    printf(" %s %d %c %s\n", word, n, other[0], other + 10);
    printf("%d", scanf("%d %ld", &n, &l));
    printf(" %d %ld\n", n, l);
    printf("%d\n", getchar());
    char line[20];
    printf("[%s]", fgets(line, sizeof line, stdin));
    printf("[%s]", fgets(line, sizeof line, stdin));
    printf("[%s]", fgets(line, 5, stdin));
    printf("[%s]\n", fgets(line, sizeof line, stdin));
    printf("%d", scanf("%hd %hhd %u", &s, &tiny, &u));
    printf(" %d %d %u\n", s, tiny, u);
    printf("%d", scanf(" x = %d , y = %d", &n, &m));
    printf(" %d %d\n", n, m);
    printf("%d", scanf("%d", &n));
    printf(" %d", n);
    printf(" %d", scanf("%s", word));
    printf(" %s\n", word);
    printf("%d", scanf(" %%%d", &n));
    printf(" %d\n", n);
    int c = getchar();
    printf("%d %d", c, ungetc('Q', stdin));
    printf(" %d", getchar());
    char *whole = NULL;
    size_t size = 0;
    printf(" %ld", (long)getline(&whole, &size, stdin));
    printf(" [%s] %d\n", whole, feof(stdin) != 0);
    printf("%d %d %d\n", getchar(), scanf("%d", &n), fgets(line, sizeof line, stdin) == NULL);
    scan("1 2 3", "%d %d %d");
    scan("1,2;3", "%d,%d,%d");
    scan("0x10 010 10", "%x %o %i");
    scan("0x 5", "%x %d");
    scan("+5 -5 - 5", "%d %d %d");
    scan("", "%d");
    scan("  ", "%d");
    scan("abc", "%d");
    scan("12345678", "%3d%2d%d");
    scan("1 2 3", "%*d %d %d");
    scan("7%8", "%d%%%d");
    scan("ff FF fF", "%x%X%x");
    scan("0b1 09", "%i %i");
    scan("a1b2", "a%db%d");
    scan("2147483648 -2147483649 4294967296", "%d %d %u");
    printf("%d ", sscanf("]x]", "%[]x]", word));
    printf("%s\n", word);
    printf("%d ", sscanf("abc-def", "%[a-]", word));
    printf("%s\n", word);
    printf("%d ", sscanf("abcdef", "%3c", word));
    printf("%.3s\n", word);
    printf("%d ", sscanf("ab cd", "%s%s", word, other));
    printf("%s %s\n", word, other);
    printf("%d ", sscanf("1e 5", "%lf %lf", &d, &e));
    printf("%g %g\n", d, e);
    printf("%d ", sscanf(".5e-1.7", "%lf%lf", &d, &e));
    printf("%g\n", d + e);
    printf("%d ", sscanf("infinity", "%lf", &d));
    printf("%g\n", d);
    return 0;
}
