// Rounds until points of an n by n grid escape: examples/mandelbrot.c, counted and not drawn.
int work(int n) {
    int sum = 0;
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            double re = 3.0 * column / n - 2.0, im = 2.0 * row / n - 1.0;
            double x = 0, y = 0;
            int rounds = 0;
            while (rounds < 100 && x * x + y * y <= 4.0) {
                double next = x * x - y * y + re;
                y = 2.0 * x * y + im;
                x = next;
                rounds++;
            }
            sum += rounds;
        }
    }
    return sum;
}
