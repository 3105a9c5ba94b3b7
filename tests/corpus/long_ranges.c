// Ranges in initialisers that are too long to be initialised element by element.
// why: elements are copied in blocks, and designators divide a range into several.
// expect: 7 3 7 9 9 10
// expect: 1 1 1 3
// expect: 1 hi 5, 1 hi 5, 2  0, 1 hi 5, 4 '' 0
// expect: 1 hi 5, 2 hi 5, 1 z 5, 1 ho 5, 1 hi 5
// expect: 505 950 505 505 505 505 505 505 505 505 505 000 000 505
// expect: 400 600 1 1 600
// expect: 1020304 9 5 1020304
// expect: hello h hXllo hello
// expect: 0 4 4, 4 calls
#include <stdio.h>

struct item {
    int n;
    char text[4];
    unsigned bits : 3;
};

union word {
    int n;
    unsigned char bytes[4];
};

static int calls, other;

static int call(void) { return ++calls; }

static const int numbers[10000] = {[10 ... 9998] = 7, [11] = 3, [5000 ... 5099] = 9};
static int *pointers[500] = {[1 ... 498] = &calls, [200] = &other, [300 ... 450] = 0, [400] = (int *)numbers + 11};
static const int constant = numbers[9998] + numbers[11];

int main(void) {
    struct item items[400] = {[0 ... 399] = {call(), "hi", 5}, [100] = {.n = 4}, [200 ... 299] = {call()}};
    struct item constants[400] = {[0 ... 399] = {1, "hi", 5}, [300].n = 2, [301].text = "z", [302].text[1] = 'o'};
    int inner[100][3] = {[0 ... 99] = {[0] = 5, [2] = 5}, [50] = {9, 5}, [60 ... 80] = {}};
    int read[200] = {[1 ... 199] = call() * 200, [0] = 400, [10 ... 150] = call() - 3};
    union word words[100] = {[0 ... 99] = {.n = 0x01020304}, [50].bytes[0] = 9, [51].n = 5};
    char texts[100][6] = {[0 ... 99] = "hello", [5] = {"h"}, [6][1] = 'X'};
    int *literal = (int[300]){[100 ... 299] = calls};
    printf("%d %d %d ", numbers[10], numbers[11], numbers[4999]);
    printf("%d %d %d\n", numbers[5000], numbers[5099], constant);
    printf("%d %d ", pointers[0] == 0, pointers[199] == &calls && pointers[200] == &other);
    printf("%d %d\n", pointers[300] == 0 && pointers[498] == &calls, *pointers[400]);
    for (int i = 99; i < 400; i += 100) {
        printf("%d %s %d, ", items[i].n, items[i].text, items[i].bits);
    }
    printf("%d '%s' %d\n", items[100].n, items[100].text, items[100].bits);
    for (int i = 299; i < 304; i++) {
        printf("%d %s %d%s", constants[i].n, constants[i].text, constants[i].bits, i < 303 ? ", " : "\n");
    }
    for (int i = 49; i < 100; i += i < 61 ? 1 : 20) {
        printf("%d%d%d%c", inner[i][0], inner[i][1], inner[i][2], i < 81 ? ' ' : '\n');
    }
    printf("%d %d %d %d %d\n", read[0], read[9], read[10], read[150], read[199]);
    printf("%x %x %x %x\n", words[49].n, words[50].n, words[51].n, words[52].n);
    printf("%s %s %s %s\n", texts[4], texts[5], texts[6], texts[99]);
    printf("%d %d %d, %d calls\n", literal[99], literal[100], literal[299], calls);
}
