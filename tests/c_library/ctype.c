#include <ctype.h>
#include <stdio.h>

int main(void) {
    for (int c = -128; c < 256; c++) {
        printf("%d: %d %d %d %d %d %d ", c, isalnum(c), isalpha(c), isblank(c), iscntrl(c), isdigit(c), isgraph(c));
        printf("%d %d %d %d %d %d ", islower(c), isprint(c), ispunct(c), isspace(c), isupper(c), isxdigit(c));
        printf("%d %d ", tolower(c), toupper(c));
        printf("%d %d %d\n", (*__ctype_b_loc())[c], (*__ctype_tolower_loc())[c], (*__ctype_toupper_loc())[c]);
    }
    int (*classes[])(int) = {isspace, toupper};
    return classes[0](' ') / 512 + classes[1]('a');
}
