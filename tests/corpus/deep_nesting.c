// Expressions, blocks and loops nested a few dozen deep.
// why: nesting that people do write by machine; `tests/test_size.py` goes much deeper.
// expect: 14
// expect: 15 20
#include <stdio.h>

int main(void) {
    int n = ((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))));
    n = -(-(-(-(-(-(-(-(-(-(n))))))))));
    n = !!!!!!!!!!!!!!!!!!!!!!!!n;
    n = ~~~~~~~~~~~~~~~~~~~~~~~~n;
    n = n + (n + (n + (n + (n + (n + (n + (n + (n + (n + (n + (n + (n + n))))))))))));
    printf("%d\n", n);
    {{{{{{{{{{{{{{{{{{{{{{{{ n++; }}}}}}}}}}}}}}}}}}}}}}}}
    int sum = 0;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            for (int c = 0; c < 2; c++)
                for (int d = 0; d < 2; d++)
                    for (int e = 0; e < 2; e++)
                        if (a) if (b) if (c) if (d) if (e) sum += n; else sum++; else sum += 2;
    printf("%d %d\n", n, sum);
    return 0;
}
