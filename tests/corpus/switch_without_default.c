// No `default`, and no case that matches.
// why: the value then leads straight behind the `switch`, where variables keep what they had.
// expect: -4 51 -5 -7 end
#include <stdio.h>

int f(int n) {
    int r = -n;
    switch (n) {
        case 5: r = 50;
        case 6: r++; break;
    }
    return r;
}

int main(void) {
    for (int n = 4; n < 8; n++) printf("%d ", f(n));
    printf("end\n");
    return 0;
}
