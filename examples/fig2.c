// Figure 2 of the paper: global value numbering.
//
// why: `x` needs a parameter where the loop begins and one where the `if` joins; neither can go.
// run: 10
// expect: 9
// run: 0
// expect: 0
int f(int n) {
    int i = 0;
    int x = 0;
    while (i < n) {
        if (i % 3 == 0) {
            x = i;
        }
        i = i + 1;
    }
    return x;
}
