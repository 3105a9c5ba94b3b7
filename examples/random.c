// Two random number generators: a linear congruential one and Marsaglia's xorshift.
//
// why: unsigned arithmetic that is meant to wrap, in 32 and in 64 bits.
// expect: 1015568748  8748534153485358512
// expect: 1586005467  3040900993826735515
// expect: 2165703038  3453997556048239312
// expect: 3027450565 16431732851926010853
// expect: 492 heads
#include <stdio.h>

unsigned congruential(unsigned state) {
    return state * 1664525u + 1013904223u;
}

unsigned long xorshift(unsigned long state) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

int main(void) {
    unsigned small = 1;
    unsigned long large = 88172645463325252ul;
    for (int i = 0; i < 4; i++) {
        small = congruential(small);
        large = xorshift(large);
        printf("%10u %20lu\n", small, large);
    }
    int heads = 0;
    for (int i = 0; i < 1000; i++) {
        large = xorshift(large);
        heads += large >> 63;
    }
    printf("%d heads\n", heads);
    return 0;
}
