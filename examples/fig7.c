// Figure 7 of the paper: jump threading, which requires reconstruction of SSA form.
//
// why: from `then` (the paper's A), control always goes via `next` (B) to `then1` (C), since `found` is 1. With
//      --thread-jumps, `then` bypasses `next`: it gets its own copy of the definition of `x`, and the use of `x` in
//      `then1` needs a parameter for both definitions. `next1` is D.
// run: -5 0
// expect: 15
// run: 5 0
// expect: 0
// run: 5 1
// expect: 15
int f(int n, int found) {
    if (n < 0) {
        n = -n;
        found = 1;
    }
    int x = n * 3;
    if (found) {
        return x;
    }
    return 0;
}
