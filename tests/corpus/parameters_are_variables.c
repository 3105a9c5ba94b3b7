// Parameters are assigned to, stepped, and used as loop counters.
// why: a parameter of the function is the first definition of a variable like any other.
// expect: 6094 100
#include <stdio.h>

int f(int n, unsigned char c) {
    int count = 0;
    while (n > 1) {
        n /= 2;
        c += 100;
        count++;
    }
    n += c;
    c = n;
    return count * 1000 + c;
}

int main(void) {
    int n = 100;
    printf("%d ", f(n, 5));
    printf("%d\n", n);
    return 0;
}
