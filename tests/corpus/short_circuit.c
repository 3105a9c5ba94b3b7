// `&&` and `||` evaluate their right side only if it decides.
// why: the side effects show which sides ran.
// expect: 1 0
// expect: 12 1
// expect: 1 1
// expect: 12 0
// expect: 134 0
// expect: 134 1
// expect: 12 yes
// expect: 2
// expect: 1
#include <stdio.h>

int say(int n, int value) {
    printf("%d", n);
    return value;
}

int main(void) {
    int r;
    r = say(1, 0) && say(2, 1);
    printf(" %d\n", r);
    r = say(1, 5) && say(2, 7);
    printf(" %d\n", r);
    r = say(1, 5) || say(2, 7);
    printf(" %d\n", r);
    r = say(1, 0) || say(2, 0);
    printf(" %d\n", r);
    r = say(1, 0) && say(2, 1) || say(3, 1) && say(4, 0);
    printf(" %d\n", r);
    r = (say(1, 1) || say(2, 1)) && (say(3, 0) || say(4, 1));
    printf(" %d\n", r);
    if (!(say(1, 0) || !say(2, 1))) printf(" yes\n");
    int n = 0;
    n && n++ || ++n && n++;
    printf("%d\n", n);
    r = 0.5 && -0.0 || 'a';
    printf("%d\n", r);
    return 0;
}
