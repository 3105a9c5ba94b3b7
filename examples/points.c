// Points in an array, which a function changes through a pointer.
//
// why: the array is in memory; the counters and the sum of the loop are parameters.
// status: 60
struct point {
    int x, y;
};

int shift(struct point *a, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        a[i].x += 1;
        sum += a[i].y;
    }
    return sum;
}

int main(void) {
    struct point path[3] = {{1, 10}, {2, 20}, {3, 30}};
    return shift(path, 3);
}
