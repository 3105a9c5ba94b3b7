// Arrays of variable length, as variables, parameters and types, and pointers to them.
// why: the length is computed once, where the declaration is executed.
// expect: 12 36 16
// expect: 5 8 6
// expect: 30 28
// expect: 8
#include <stdio.h>
static int trace(int n, int m[n][n]) { int s = 0; for (int i = 0; i < n; i++) s += m[i][i]; return s; }
static int star(int n, int a[*]);
static int star(int n, int a[n]) { return a[n - 1]; }
static int quals(int a[static 2], int b[const], int n) { return a[1] + b[n]; }
int main(void) {
    int n = 3;
    int m[n][n];
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] = i * n + j;
    int (*row)[n] = m + 1;
    typedef int line[n + 1];
    n = 7;
    line l; l[3] = 4;
    printf("%d %d %d\n", trace(3, m), (int)sizeof m, (int)sizeof l);
    printf("%d %d %d\n", (*row)[2], star(3, m[2]), quals(m[0], m[1], 2));
    int total = 0;
    for (int i = 1; i < 4; i++) { int a[i]; a[i - 1] = i; total += a[i - 1] + (int)sizeof a; }
    printf("%d %d\n", total, (int)sizeof(int[n++]));
    printf("%d\n", n);
    return 0;
}
