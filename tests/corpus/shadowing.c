// A name declared again in an inner block is another variable.
// why: the outer one is back after the block, with its own value and type.
// expect: c 2.5 1
// expect: 20 22 1
// expect: 5 1 8
// expect: 01 1
#include <stdio.h>

int x(int x) {
    {
        int x = 5;
        printf("%d ", x);
        x++;
    }
    return x + 1;
}

int main(void) {
    int a = 1;
    {
        double a = 2.5;
        {
            char a = 'c';
            printf("%c ", a);
        }
        printf("%.1f ", a);
        a = 9;
    }
    printf("%d\n", a);
    for (int a = 10; a < 12; a++) {
        int b = a;
        int a = b * 2;
        printf("%d ", a);
    }
    printf("%d\n", a);
    if (a) {
        int a = 3;
        a++;
    } else {
        int a = 4;
        a++;
    }
    printf("%d %d\n", a, x(7));
    int printed = a;
    {
        int i = 0;
        while (i < 2) {
            int printed = i++;
            printf("%d", printed);
        }
    }
    printf(" %d\n", printed);
    return 0;
}
