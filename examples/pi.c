// Pi, by Machin's formula: 4 (4 arctan 1/5 - arctan 1/239).
//
// why: a series in `double`, and the same in `float`, which stops growing sooner.
// expect: 3.14159265358979
// expect: 25 halves make 2
#include <stdio.h>

double arctan_of_inverse(int n) {
    double power = 1.0 / n, sum = 0;
    for (int k = 1; power > 1e-18; k += 2) {
        sum += k % 4 == 1 ? power / k : -power / k;
        power /= n * n;
    }
    return sum;
}

int main(void) {
    printf("%.14f\n", 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239)));
    float sum = 0, term = 1;
    int terms = 0;
    while (sum + term != sum) {
        sum += term;
        term /= 2;
        terms++;
    }
    printf("%d halves make %.9g\n", terms, sum);
    return 0;
}
