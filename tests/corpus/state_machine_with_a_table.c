// A state machine whose states are functions in a table.
// why: arrays of pointers to functions, `enum` constants as indices, `static` variables.
// expect: word of 3 letters; number of 2 digits; word of 4 letters; word of 3 letters; number of 1 digits; word of 4 letters; state 0
#include <stdio.h>

enum state { START, WORD, NUMBER, STATES };

static enum state start(char c) {
    return c >= '0' && c <= '9' ? NUMBER : c == ' ' ? START : WORD;
}

static enum state word(char c) {
    static int letters;
    letters++;
    if (c == ' ') {
        printf("word of %d letters; ", letters);
        letters = 0;
        return START;
    }
    return WORD;
}

static enum state number(char c) {
    static int digits = 1;
    if (c < '0' || c > '9') {
        printf("number of %d digits; ", digits);
        digits = 1;
        return c == ' ' ? START : WORD;
    }
    digits++;
    return NUMBER;
}

static enum state (*const step[STATES])(char) = {[WORD] = word, [START] = start, [NUMBER] = number};

int main(void) {
    enum state state = START;
    for (const char *s = "the 12 cats ate 7 fish "; *s; ++s) state = step[state](*s);
    printf("state %d\n", state);
    return 0;
}
