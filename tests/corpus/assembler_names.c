// Functions and variables with other names in object files.
// why: the names of static and local items do not matter, and those of others are the names in the program.
// expect: 42 33 51 35 4
#include <stdio.h>
static int a __asm__("_A");
static int a = 42;
int b = 2, c __asm__("_C") = 33;
int foo(int mode) __asm("__" "foo");
int foo(int mode) {
    static int d __asm__("__D") = 50;
    return mode + d;
}
int bar() __asm__("BAR");
int bar(int mode) { return mode + c; }
extern int later __asm__("afterwards");
static int *const pointer = &later;
int later = 4;
int main(void) {
    register int i __asm__("ecx") = 1;
    printf("%d %d %d %d %d\n", a, c, foo(i), bar(2), *pointer);
    return 0;
}
