// The address of the frame of a call, as interpreters use it to limit the depth of calls.
// why: it is a pointer that can be converted to an integer, which is not 0.
// expect: 10 1
#include <stdint.h>
#include <stdio.h>

static uintptr_t stack_pointer(void) { return (uintptr_t)__builtin_frame_address(0); }

static int depth(uintptr_t limit, int n) {
    if (stack_pointer() < limit) return -1;
    return n ? 1 + depth(limit, n - 1) : 0;
}

int main(void) {
    printf("%d %d\n", depth(0, 10), stack_pointer() != 0);
    return 0;
}
