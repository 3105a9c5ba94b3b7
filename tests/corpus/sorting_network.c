// Five variables sorted by a network of conditional swaps.
// why: a ladder of `if`s, each of which may change two variables.
// expect: 1 2 3 4 5
// expect: 1 2 3 4 5
// expect: 1 1 3 4 5
// expect: 1 2 2 7 8
#include <stdio.h>

void sort(int a, int b, int c, int d, int e) {
    int t;
    if (a > b) { t = a; a = b; b = t; }
    if (d > e) { t = d; d = e; e = t; }
    if (c > e) { t = c; c = e; e = t; }
    if (c > d) { t = c; c = d; d = t; }
    if (b > e) { t = b; b = e; e = t; }
    if (a > d) { t = a; a = d; d = t; }
    if (a > c) { t = a; a = c; c = t; }
    if (b > d) { t = b; b = d; d = t; }
    if (b > c) { t = b; b = c; c = t; }
    printf("%d %d %d %d %d\n", a, b, c, d, e);
}

int main(void) {
    sort(5, 4, 3, 2, 1);
    sort(1, 2, 3, 4, 5);
    sort(3, 1, 4, 1, 5);
    sort(2, 7, 1, 8, 2);
    return 0;
}
