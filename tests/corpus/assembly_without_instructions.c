// Inline assembly without instructions: it assigns inputs to outputs in the same place, and does nothing else.
// why: such statements are compiler barriers in real files.
// expect: counted
// expect: 4 5 28 3
#include <stdio.h>

static int *counted(int *p) {
    puts("counted");
    return p;
}

int main(void) {
    __signed x = 4, y, z = 9;
    int a[3] = {1, 2, 3};
    asm volatile("" : : : "memory");
    __asm __volatile("" ::: "memory");
    asm("");
    asm volatile("pause" ::: "memory");
    __asm__("rep; nop\n\tmfence");
    asm volatile("" : "+r"(x), "=r"(y) : "1"(x + 1), "g"(&a[0]) : "memory", "cc");
    asm("" : [out] "=r"(z) : "[out]"(x * 7));
    asm("" : "+r"(*counted(&x)));
    asm("" "" : : "r"(a));
    printf("%d %d %d %d\n", x, y, z, a[2]);
    return 0;
}
