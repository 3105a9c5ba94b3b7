// `?:`, nested on all three sides.
// why: it groups to the right, only one arm runs, and both arms have one common type.
// expect: 4 3 2 1 end
// expect: 2
// expect: 5
// expect: 1 4 5
// expect: 1.0
// expect: -1
// expect: 4294967295
// expect: 1 1
// expect: 1 10
#include <stdio.h>

int grade(int points) {
    return points > 90 ? 1 : points > 70 ? 2 : points > 50 ? 3 : 4;
}

int hit(int n) {
    printf("%d ", n);
    return n;
}

int main(void) {
    for (int p = 40; p <= 100; p += 20) printf("%d ", grade(p));
    printf("end\n");
    int a = 1, b = 0;
    printf("%d\n", a ? b ? 1 : 2 : 3);
    printf("%d\n", (b ? a : b) ? 1 : (a ? 5 : 6));
    int r = a ? hit(1) : hit(2);
    r += b ? hit(3) : hit(4);
    printf("%d\n", r);
    printf("%.1f\n", a ? 1 : 2.5);
    printf("%ld\n", b ? 1u : -1l);
    printf("%u\n", a ? -1 : 1u);
    a ? b++ : a++;
    printf("%d %d\n", a, b);
    int x = a > b ? a : b, y = (a < b ? a : b) * 10;
    printf("%d %d\n", x, y);
    return 0;
}
