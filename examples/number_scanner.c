// A scanner for signed decimal numbers, as a state machine whose states are labels.
//
// why: what `goto` is for. The flow is irreducible: `sign_seen` and `first_digit` lead to each other, and `start`
//      leads to both.
// expect: -12
// expect: 7
// expect: a sign alone
// expect: a sign alone
// expect: 305
// expect: end at 12
#include <stdio.h>

// The text "-12+7 -- 305" as a function from positions to characters.
int character(int position) {
    switch (position) {
        case 0: return '-';
        case 1: return '1';
        case 2: return '2';
        case 3: return '+';
        case 4: return '7';
        case 5: return ' ';
        case 6: return '-';
        case 7: return '-';
        case 8: return ' ';
        case 9: return '3';
        case 10: return '0';
        case 11: return '5';
        default: return 0;
    }
}

int main(void) {
    int position = 0, value = 0, sign = 1, c;

start:
    c = character(position++);
    sign = 1;
    if (c >= '0' && c <= '9') goto first_digit;
    if (c == '-' || c == '+') goto sign_seen;
    if (c) goto start;
    goto end;

sign_seen:
    sign = c == '-' ? -1 : 1;
    c = character(position++);
    if (c >= '0' && c <= '9') goto first_digit;
    printf("a sign alone\n");
    if (c == '-' || c == '+') goto sign_seen;
    if (c) goto start;
    goto end;

first_digit:
    value = 0;

digit:
    value = value * 10 + (c - '0');
    c = character(position++);
    if (c >= '0' && c <= '9') goto digit;
    printf("%d\n", sign * value);
    if (c == '-' || c == '+') goto sign_seen;
    if (c) goto start;

end:
    printf("end at %d\n", position - 1);
    return 0;
}
