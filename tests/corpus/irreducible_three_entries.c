// Three labels, each of which leads to the two others, all entered from a `switch`.
// why: a cycle of parameters with three ways in; `same` receives one value only on all of them.
// expect: 401
// expect: 23002
// expect: 3330003
// expect: 2013104
// expect: 85005
// expect: 527906
#include <stdio.h>

int f(int n, int fuel) {
    int same = n + 1, r = 1;
    switch (n % 3) {
        case 0: goto a;
        case 1: goto b;
        default: goto c;
    }
a:
    r = r * 3 + same;
    if (--fuel < 0) goto out;
    if (r % 2) goto c;
b:
    r = r * 5 - 1;
    if (--fuel < 0) goto out;
    if (r % 3) goto a;
c:
    r = r % 1000 + 7;
    if (--fuel < 0) goto out;
    if (r % 5 > 2) goto b;
    goto a;
out:
    return r * 100 + same;
}

int main(void) {
    for (int n = 0; n < 6; n++) printf("%d\n", f(n, n * 4));
    return 0;
}
