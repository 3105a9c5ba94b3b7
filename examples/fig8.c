// Figure 8 of the paper: from C to continuation-passing style.
//
// why: the whole idea in ten lines. `a` gets a parameter where the two arms meet, and each arm passes its value.
//      There is no `main`; `cpsconv run examples/fig8.c 0` calls the only function with 0.
// run: 0
// expect: 23
// run: 7
// expect: 42
int f(int x) {
    int a;
    if (x == 0) {
        a = 23;
    } else {
        a = 42;
    }
    return a;
}
