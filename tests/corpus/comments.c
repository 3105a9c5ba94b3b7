// Comments of both kinds, in odd places.
// why: they are white space, and hide nothing inside of strings and characters.
// expect: 3 /* no comment */ // nor here
// expect: 1 /"
#include <stdio.h>

/* a block
   comment */
int /* between */ main(/* nothing */ void) { // at an end
    int a = 6 /* six */ / 2 /**/; /* ** / */
    printf("%d /* no comment */ // nor here\n", a);
    int b = a //* two
        / 2;
    char c = '/', d = '"';
    printf("%d %c%c\n", b, c, d); /* // */
    return /*zero*/0;
}
