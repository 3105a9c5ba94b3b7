// In GNU C, a prototype before an old-style definition may state narrow types: these are passed.
// why: otherwise the definition takes the promoted types, and the declarations disagree.
// expect: 11 5
#include <stdio.h>

void add(char *sum, char c, float f, unsigned short s);
static short half(short number);

void add(sum, c, f, s)
    char *sum;
    char c;
    float f;
    unsigned short s;
{
    *sum += c + f + s;
}

static short half(number)
    short number;
{
    return number / 2;
}

int main(void)
{
    char sum = 1;
    add(&sum, 2, 3.0, (unsigned short)65541);
    printf("%d %d\n", sum, half((short)65546));
    return 0;
}
