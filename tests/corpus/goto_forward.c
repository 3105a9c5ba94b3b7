// Jumps over statements and out of blocks.
// why: a label with several jumps to it, each from another depth.
// expect: -100 100 4 2200
#include <stdio.h>

int f(int n) {
    int r = 0;
    if (n < 0) goto negative;
    {
        r = 1;
        if (n == 0) goto out;
        for (int i = 0; i < 10; i++) {
            while (i < n) {
                r += i;
                if (r > 20) goto out;
                i++;
            }
        }
    }
    goto end;
negative:
    r = -1;
out:
    r *= 100;
end:
    return r;
}

int main(void) {
    printf("%d %d %d %d\n", f(-5), f(0), f(3), f(10));
    return 0;
}
