// Heads among n throws of a random generator whose numbers wrap around: examples/random.c.
int work(int n) {
    unsigned state = 1;
    int heads = 0;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        heads += state >> 31;
    }
    return heads;
}
