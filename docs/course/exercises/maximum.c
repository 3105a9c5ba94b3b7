// The larger of two numbers.
int maximum(int a, int b) {
    if (a > b) {
        return a;
    }
    return b;
}
