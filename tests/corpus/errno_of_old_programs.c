// `errno`, which old programs declare as a variable although the header defines it as a macro.
// why: a variable of that name is another one than that of the library.
// expect: 1 34 0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef errno
#error "<errno.h> defines a macro"
extern int errno;
#endif
extern int errno;

int main(void) {
    errno = 0;
    int is_limited = strtol("99999999999999999999", 0, 10) > 0, before = errno;
    errno = 0;
    printf("%d %d %d\n", is_limited, before, errno);
    return 0;
}
