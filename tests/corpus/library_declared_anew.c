// What a header declares may be declared once more, with or without the header.
// why: many a program names the functions that it uses.
// expect: A
// status: 3
#include <stdio.h>
#include <stdlib.h>

int abs(int number);
int putchar();
double fabs(double);
void exit(int);

int main(void) {
    putchar('A');
    putchar('\n');
    exit(abs(-1) + (int)fabs(-2.5));
}
