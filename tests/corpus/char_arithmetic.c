// Characters are numbers.
// why: digits from values, letters from offsets, plain `char` is signed.
// expect: ABCDE7
// expect: -1 -128 1
// expect: Hi!
// expect: 6
#include <stdio.h>

int main(void) {
    for (char c = 'a'; c <= 'e'; c++) putchar(c - 'a' + 'A');
    putchar('0' + 7);
    putchar(10);
    char high = '\xff';
    char wrapped = 127;
    wrapped++;
    printf("%d %d %d\n", high, wrapped, '\377' == -1);
    printf("%c%c%c\n", 72, 'i', 33);
    int sum = 0;
    for (unsigned char u = 250; u >= 250; u++) sum++;
    printf("%d\n", sum);
    return 0;
}
