// Figure 1 of the paper: local value numbering.
//
// why: one continuation only; each variable's current value is known where it is read, and no parameter arises.
//      The paper leaves `d` open; here it is the function's parameter.
// run: 5
// expect: 112
int f(int d) {
    int a, b, c;
    a = 42;
    b = a;
    c = a + b;
    a = c + 23;
    c = a + d;
    return c;
}
