// Character constants of several bytes, and wide ones.
// why: several characters are the digits of a number in base 256; only a single one is signed.
// expect: 24930 -1 65377 1633837924 50089 97 233 8364 -1 4 2 4
#include <stdio.h>

int main(void) {
    printf("%d %d %d %d %d %d ", 'ab', '\377', '\377a', 'abcd', 'é', L'a');
    printf("%d %d %d ", u'é', L'\u20ac', L'\xffffffff');
    printf("%zu %zu %zu\n", sizeof L'a', sizeof u'a', sizeof U'a');
    return 0;
}
