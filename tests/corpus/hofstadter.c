// Hofstadter's female and male sequences.
// why: mutual recursion with nested calls.
// expect: 10 10 21 22 32 33 44 54 55 66 66 77 end
#include <stdio.h>

int male(int n);

int female(int n) {
    return n == 0 ? 1 : n - male(female(n - 1));
}

int male(int n) {
    return n == 0 ? 0 : n - female(male(n - 1));
}

int main(void) {
    for (int n = 0; n < 12; n++) printf("%d%d ", female(n), male(n));
    printf("end\n");
    return 0;
}
