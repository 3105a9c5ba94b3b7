// Static initialisers that use the values of const variables.
// why: gcc takes them as constants: of static and automatic variables, their elements and members, and of strings.
// expect: 6 1.5 20 7
// expect: 20 -2 6 99 121 2 -10 static 104 80 3 44
// expect: static 106 81 3 44
// status: 106
#include <stdio.h>

static const int n = 3;
static int m = n * 2;
static const double half = 0.5;
static double e = half * n;
static const int arr[3] = {10, 20};
static const struct { int a, b : 3; short q[2]; } st = {4, -2, {5, 6}};
static const char word[4] = "abc";
static int parts[] = {arr[1], st.b, st.q[1], word[2], "xyz"[1], n - 1, -arr[0]};
static const int *const p = &arr[1];
static const int *q = p + 1;
struct pair { int x; const int *y; } pair = {n + 1, &n};

static int counter(int by) {
    const int start = 100;
    const int table[2] = {7, 8};
    const struct { int a; } s = {3};
    const char *const name = "static";
    static int count = start + n;
    static int x = table[1] * 10;
    static int y = s.a;
    static const char *text = name;
    static const unsigned char byte = 300;
    static int z = byte;
    count += by;
    printf("%s %d %d %d %d\n", text, count, x++, y, z);
    return count;
}

int main(void) {
    printf("%d %g %d %d\n", m, e, *q + p[0], pair.x + *pair.y);
    for (int i = 0; i < 7; i++) printf("%d ", parts[i]);
    counter(1);
    return counter(2);
}
