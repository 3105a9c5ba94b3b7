// A cast to a union of GNU C sets the field of the type of the value; the kind of a type has a number.
// why: the front end makes a variable of the union for the cast.
// expect: 5 2.5 4
// expect: 1 1 8 5 5 12 13 1
#include <stdio.h>
struct pair { int a, b; };
union number { double d; int i; struct pair p; };
enum color { RED };
static int integer(union number n) { return n.i; }
static double real(union number n) { return n.d; }
int main(void) {
    int a[3];
    struct pair p = {3, 4};
    printf("%d %g %d\n", integer((union number)5), real((union number)2.5), ((union number)p).p.b);
    printf("%d %d %d %d ", __builtin_classify_type(1), __builtin_classify_type('a'), __builtin_classify_type(1.0f), __builtin_classify_type(a));
    printf("%d %d %d %d\n", __builtin_classify_type(integer), __builtin_classify_type(p), __builtin_classify_type((union number)1), __builtin_classify_type(RED));
    return 0;
}
