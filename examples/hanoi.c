// The towers of Hanoi.
//
// why: recursion that returns nothing, with an effect between two calls: each continuation must run in its turn.
// expect: 1: a -> c
// expect: 2: a -> b
// expect: 1: c -> b
// expect: 3: a -> c
// expect: 1: b -> a
// expect: 2: b -> c
// expect: 1: a -> c
// expect: 7 moves
#include <stdio.h>

int move(int disks, char from, char over, char to) {
    if (disks == 0) return 0;
    int before = move(disks - 1, from, to, over);
    printf("%d: %c -> %c\n", disks, from, to);
    return before + 1 + move(disks - 1, over, from, to);
}

int main(void) {
    printf("%d moves\n", move(3, 'a', 'b', 'c'));
    return 0;
}
