// Empty bodies, blocks and statements.
// why: each is legal where a statement is.
// expect: 6
// expect: 3
// expect: 4
// expect: 4
#include <stdio.h>

void nothing(void) {
}

void also_nothing(void) { ; ; {} {{}} }

int main(void) {
    int i = 0;
    ;
    while (i++ < 5);
    printf("%d\n", i);
    for (i = 0; i < 3; i++);
    printf("%d\n", i);
    for (i = 10; i < 13; i++) {}
    if (i);
    else;
    do; while (i-- > 5);
    printf("%d\n", i);
    nothing();
    also_nothing();
    if (i) {} else printf("never\n");
    switch (i) {}
    switch (i);
    {}
    i;
    i + 1;
    printf("%d\n", i);
    return 0;
}
