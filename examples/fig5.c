// Figure 5 of the paper: a loop with two entries.
//
// why: irreducible control flow. `x` is assigned once, yet Algorithms 1 to 4 leave two parameters for it, one at each
//      entry, that receive only each other and the one value: a redundant set.
// run: 1 3
// expect: 10
// run: 0 3
// expect: 10
int f(int second, int n) {
    int x = 10;
    if (second) goto second_loop_entry;
    while (n > 0) {
        n = n - 1;
    second_loop_entry:
        n = n - 1;
    }
    return x;
}
