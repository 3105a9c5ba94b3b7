#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    struct lconv *found = localeconv();
    printf("'%s' '%s' '%s' %d\n", found->decimal_point, found->thousands_sep, found->currency_symbol,
           found->frac_digits == CHAR_MAX);
    printf("%s ", setlocale(LC_ALL, "C"));
    printf("%s %d\n", setlocale(LC_NUMERIC, "C"), setlocale(LC_CTYPE, "POSIX") != NULL);
    printf("%d %d\n", setlocale(LC_COLLATE, "none") == NULL, setlocale(99, "C") == NULL);
    return (int)sizeof *found;
}
