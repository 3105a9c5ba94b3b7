// A `switch` with nothing but `default`, and one with nothing at all before its first case.
// why: no case gives a transfer to compare with; statements before the first case never run.
// expect: 1002 0 1016
#include <stdio.h>

int f(int n) {
    switch (n) {
        default: n++;
    }
    switch (n) {
        n = 100;
        printf("never\n");
        case 8: n *= 2;
    }
    switch (n) default: n += 1000;
    switch (n) case 1003: n = 0;
    return n;
}

int main(void) {
    printf("%d %d %d\n", f(1), f(2), f(7));
    return 0;
}
