// Tables of the distances between labels, with computed jumps.
// why: `&&a - &&b` is a constant, as position-independent interpreters need.
// expect: 1 2 6
// expect: 1 0
#include <stdio.h>
static int computed(int a, int choice) {
    static const int offsets[] = { &&same - &&same, &&next - &&same, &&triple - &&same };
    static const long far = (char *)&&triple - (char *)&&triple;
    goto *(&&same + offsets[choice] + far);
triple:
    a *= 3;
    return a * 2;
same:
    return a;
next:
    return a + 1;
}
static int is_first(void) {
    static void *const table[] = { &&first, &&second };
    static const int differ = &&first != &&second;
    goto *table[!differ];
first:
    return 1;
second:
    return 0;
}
int main(void) {
    printf("%d %d %d\n", computed(1, 0), computed(1, 1), computed(1, 2));
    printf("%d %d\n", is_first(), 0);
    return 0;
}
