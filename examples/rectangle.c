// A rectangle that grows around points, without any object in memory.
//
// why: the fields of structs whose addresses nothing takes are variables, and so parameters of the loop.
// run: 10
// expect: 585
struct point {
    int x, y;
};

struct rectangle {
    struct point low, high;
};

int area_around(int points) {
    struct rectangle box = {{0, 0}, {0, 0}};
    struct point p = {3, 4};
    for (int i = 0; i < points; i++) {
        if (p.x < box.low.x) box.low.x = p.x;
        if (p.x > box.high.x) box.high.x = p.x;
        if (p.y < box.low.y) box.low.y = p.y;
        if (p.y > box.high.y) box.high.y = p.y;
        p = (struct point){p.x - 2 * p.y % 7, p.y + p.x};
    }
    return (box.high.x - box.low.x) * (box.high.y - box.low.y);
}
