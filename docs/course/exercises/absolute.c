// How far a number is from zero, doubled if it is odd.
int absolute(int x) {
    int y;
    if (x < 0) {
        y = -x;
    } else {
        y = x;
    }
    if (y % 2 == 1) {
        y = 2 * y;
    }
    return y;
}
