// Figure 4 of the paper: what optimising during the construction saves.
//
// why: `x & mask` is 0, so the condition is known, one arm is dead, and the function returns its parameter.
// run: 7
// expect: 7
// run: -1
// expect: -1
int foo(int x) {
    int mask = 0;
    int res;
    if (x & mask) {
        res = 0;
    } else {
        res = x;
    }
    return res;
}
