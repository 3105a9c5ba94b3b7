// Three functions that call each other in a circle.
// why: prototypes with and without parameter names; definitions in any order.
// expect: 1 4 8 4 10 18 10 22 end
#include <stdio.h>

int second(int);
int third(int n, int unused);

int first(int n) {
    return n <= 0 ? 1 : second(n - 1) * 2;
}

int second(int n) {
    return n <= 0 ? 2 : third(n - 1, 0) + 1;
}

int third(int n, int zero) {
    return n <= 0 ? 3 : first(n - 1) - zero;
}

int main(void) {
    for (int n = 0; n < 8; n++) printf("%d ", first(n));
    printf("end\n");
    return 0;
}
