// The integer conversions of printf with flags, width and precision.
// why: each flag alone and in company; the width may be an argument.
// expect: [-5] [5] [5] [ff] [FF] [10]
// expect: [   42] [42   ] [00042] [+42] [ 42]
// expect: [007] [   007] [007   ] [+00007]
// expect: [0xff] [010] [0XFF] [0]
// expect: [000000ff] [0x0000ff] [ff      ]
// expect: [-1234567890123] [1234567890123] [123456789abcdef] [                   1]
// expect: [1] [1] [1] [1]
// expect: [   42] [42   ] [0042]
// expect: [x] [  y] [z  ]
// expect: [50%] [   ab] [ab   ] [ab]
// expect: [] [+] [ffffffff]
// expect: four
// expect: 5
#include <stdio.h>

int main(void) {
    printf("[%d] [%i] [%u] [%x] [%X] [%o]\n", -5, 5, 5u, 255, 255, 8);
    printf("[%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42);
    printf("[%.3d] [%6.3d] [%-6.3d] [%+06d]\n", 7, 7, 7, 7);
    printf("[%#x] [%#o] [%#X] [%#x]\n", 255, 8, 255, 0);
    printf("[%08x] [%#08x] [%-8x]\n", 255, 255, 255);
    printf("[%ld] [%lu] [%lx] [%20ld]\n", -1234567890123, 1234567890123u, 81985529216486895, 1l);
    printf("[%hd] [%hhd] [%hu] [%hhu]\n", 65537, 257, 65537, 257);
    printf("[%*d] [%-*d] [%.*d]\n", 5, 42, 5, 42, 4, 42);
    printf("[%c] [%3c] [%-3c]\n", 'x', 'y', 'z');
    printf("[%d%%] [%5s] [%-5s] [%.2s]\n", 50, "ab", "ab", "abcdef");
    printf("[%.0d] [%+.0d] [%x]\n", 0, 0, -1);
    int n = printf("four\n");
    printf("%d\n", n);
    return 0;
}
