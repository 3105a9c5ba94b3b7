// Pseudo-random numbers decide between many branches in a loop.
// why: many variables that live through a loop, of which each round changes some.
// expect: 24 25 184 66
#include <stdio.h>

int main(void) {
    unsigned seed = 12345;
    int x = 0, y = 0, turns = 0, direction = 0, farthest = 0;
    for (int i = 0; i < 500; i++) {
        seed = seed * 1103515245 + 12345;
        unsigned r = seed >> 16 & 7;
        if (r < 2) {
            direction = (direction + 1) % 4;
            turns++;
        } else if (r == 7) {
            direction = (direction + 3) % 4;
            turns++;
            continue;
        }
        switch (direction) {
            case 0: x++; break;
            case 1: y++; break;
            case 2: x--; break;
            case 3: y--; break;
        }
        int distance = (x < 0 ? -x : x) + (y < 0 ? -y : y);
        if (distance > farthest) farthest = distance;
    }
    printf("%d %d %d %d\n", x, y, turns, farthest);
    return 0;
}
