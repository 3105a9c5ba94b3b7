// Figure 3 of the paper: the order of filling and sealing, for a `while` (3a) and an `if` in its body (3b).
//
// why: `body`, `then` and `else` are sealed as soon as the branches that lead to them exist, `next` after both arms,
//      `while` after the jump back to it, and `exit` last: a `break` in the loop would be one more predecessor.
// run: 3 4
// expect: 1
// run: 5 0
// expect: 2
// run: 0 7
// expect: 7
int f(int n, int x) {
    while (n > 0) {
        if (x > n) {
            x = x - n;
        } else {
            x = x + 1;
        }
        n = n - 1;
    }
    return x;
}
