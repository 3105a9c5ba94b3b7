// Unions in which a bit-field is larger than the other members.
// why: the unit of the bit-field has bytes that no member has; static content is there.
// expect: 36f0b847 -6 7 12345
// expect: 5 -1 1 0
#include <stdio.h>
#include <string.h>
static union small { unsigned bits : 20; const signed char byte; } first[2] = { { 0x36F0B847 }, { 0xABCDE } };
static union wide { char letters[3]; long bits : 40; } second = { .bits = -6 };
static union only { int bits : 4; } third = { 7 };
#pragma pack(push, 1)
static union packed { unsigned bits : 20; short number; } fourth = { .number = 12345 }, fifth = { 0x12345 };
#pragma pack(pop)
struct outer { char start; union small inner; union only last; } outer = { 5, { 0xFFFFF }, { -1 } };
int main(void) {
    unsigned word = 0;
    memcpy(&word, &first[0], 3);
    word = (word & 0xFFFFF) | 0x36F00000;
    printf("%x %d %d %d\n", word, (int)second.bits, third.bits, fourth.number);
    printf("%d %d %d %d\n", outer.start, outer.inner.byte, fifth.bits == 0x12345, first[1].bits != 0xABCDE);
    return 0;
}
