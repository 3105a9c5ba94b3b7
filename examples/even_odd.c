// Even and odd, each defined by the other.
//
// why: mutual recursion through a prototype. Each call is the last thing that its function does.
// expect: 1 0 1
#include <stdbool.h>
#include <stdio.h>

bool is_odd(unsigned n);

bool is_even(unsigned n) {
    return n == 0 ? true : is_odd(n - 1);
}

bool is_odd(unsigned n) {
    return n == 0 ? false : is_even(n - 1);
}

int main(void) {
    printf("%d %d %d\n", is_even(10), is_odd(10), is_odd(777));
    return 0;
}
