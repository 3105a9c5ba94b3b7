// Strings with escapes, joined strings, and the percent sign.
// why: adjacent literals are one; an escape does not run into the next literal.
// expect: one two three
// expect: tab	here "quoted" back\slash 100%
// expect: A1B
// expect: a-b+c
// expect: puts ends the line
// expect:
// expect: // no comment /* here */
// expect: long gone
#include <stdio.h>

int main(void) {
    printf("one " "two" " three\n");
    printf("tab\there \"quoted\" back\\slash 100%%\n");
    printf("\x41" "1\102\n");
    printf("a%cb%sc\n", '-', "+");
    puts("puts ends the line");
    puts("");
    puts("// no comment /* here */");
    printf("%s%s\n", "", "long " "gone");
    return 0;
}
