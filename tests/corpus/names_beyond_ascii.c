// Names with letters beyond ASCII.
// why: back ends must write them, or choose names of their own, without collisions.
// expect: 2 3 6
// status: 2
#include <stdio.h>

int größe(int länge, int été) {
    int 値 = länge * 2;
    while (値 > été) 値 -= été;
    return 値;
}

int main(void) {
    int Ω = größe(21, 5), ω = 3, o = Ω * ω;
    printf("%d %d %d\n", Ω, ω, o);
    return Ω;
}
