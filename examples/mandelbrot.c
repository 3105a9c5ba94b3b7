// The Mandelbrot set, drawn with characters.
//
// why: loops three deep with floating point in the innermost, left by `break`.
// expect: .......------------++#----.....
// expect: ....-------------++##++------..
// expect: ...-----------++#######+++----.
// expect: ..------+++++++##########+-----
// expect: ..-----+++###+############-----
// expect: .#######################++-----
// expect: ..-----+++###+############-----
// expect: ..------+++++++##########+-----
// expect: ...-----------++#######+++----.
// expect: ....-------------++##++------..
// expect: .......------------++#----.....
#include <stdio.h>

int main(void) {
    for (int row = -5; row <= 5; row++) {
        for (int column = -21; column <= 9; column++) {
            double re = column / 10.0, im = row / 5.0;
            double x = 0, y = 0;
            int n = 0;
            while (n < 24) {
                double next = x * x - y * y + re;
                y = 2 * x * y + im;
                x = next;
                if (x * x + y * y > 4) break;
                n++;
            }
            putchar(n == 24 ? '#' : n > 4 ? '+' : n > 1 ? '-' : '.');
        }
        putchar('\n');
    }
    return 0;
}
