// Structs and small arrays whose addresses nothing takes.
// why: such objects become variables, field by field, and loops have their fields as parameters.
// expect: -15946 560055
#include <stdio.h>

struct point {
    int x, y;
};

struct box {
    struct point low, high;
    unsigned color : 3;
};

static int walk(int steps) {
    struct point p = {0}, direction;
    int turns[2] = {1};
    direction.x = 1;
    direction.y = 0;
    for (int i = 0; i < steps; i++) {
        p.x += direction.x * i;
        p.y += direction.y * i;
        if (i % 3 == 2) {
            direction = (struct point){-direction.y, direction.x};
            turns[0]++;
            turns[1] = turns[0] + i;
        }
    }
    return p.x * 1000 + p.y + turns[1];
}

static int area(int size) {
    struct box b = {{1, 2}, {.y = 7, .x = 9}, 5}, c;
    c = b;
    c.high.x += size;
    struct point copy = c.high;
    b.color++;
    copy.y -= (c.low = b.low).y;
    return (copy.x - c.low.x) * copy.y + b.color * 10000 + c.color * 100000;
}

int main(void) {
    printf("%d %d\n", walk(20), area(3));
    return 0;
}
