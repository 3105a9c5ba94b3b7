// `for` with a declaration of several variables.
// why: its scope is the loop; the body may shadow it; it starts anew each time.
// expect: 0:10 2:9 4:8 6:7 end
// expect: 5 6 5 6 end
// expect: 9 9 9 42
// expect: 253 254 255 0.00 0.25 0.50 0.75 end
#include <stdio.h>

int main(void) {
    for (int i = 0, j = 10; i < j; i += 2, j--) printf("%d:%d ", i, j);
    printf("end\n");
    for (int i = 0; i < 2; i++)
        for (int i = 5; i < 7; i++) printf("%d ", i);
    printf("end\n");
    int i = 42;
    for (int i = 0; i < 3; i++) {
        int i = 9;
        printf("%d ", i++);
    }
    printf("%d\n", i);
    for (unsigned char c = 253; c; c++) printf("%d ", c);
    for (double d = 0; d < 1; d += 0.25) printf("%.2f ", d);
    printf("end\n");
    return 0;
}
