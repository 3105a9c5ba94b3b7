// Roman numerals.
//
// why: output a character at a time, from a chain of functions that return nothing.
// expect: IV
// expect: XLIX
// expect: MDCCLXXXIX
// expect: MCMXCIV
// expect: MMXIII
#include <stdio.h>

void repeat(int symbol, int times) {
    while (times-- > 0) putchar(symbol);
}

void digit(int value, int one, int five, int ten) {
    if (value == 9) {
        putchar(one);
        putchar(ten);
    } else if (value >= 5) {
        putchar(five);
        repeat(one, value - 5);
    } else if (value == 4) {
        putchar(one);
        putchar(five);
    } else {
        repeat(one, value);
    }
}

void roman(int n) {
    repeat('M', n / 1000);
    digit(n / 100 % 10, 'C', 'D', 'M');
    digit(n / 10 % 10, 'X', 'L', 'C');
    digit(n % 10, 'I', 'V', 'X');
    putchar('\n');
}

int main(void) {
    roman(4);
    roman(49);
    roman(1789);
    roman(1994);
    roman(2013);
    return 0;
}
