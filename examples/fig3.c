// Figure 3 of the paper: the order of filling and sealing, for a `while` (3a) and an `if` in its body (3b).
//
// why: `body`, `then` and `else` are sealed as soon as the branches that lead to them exist, `next` after both arms,
//      `while` after the jump back to it, and `exit` last: a `break` in the loop would be one more predecessor.
// run: 6
// expect: 8
// run: 1
// expect: 0
int f(int n) {
    int steps = 0;
    while (n > 1) {
        if (n % 2) {
            n = 3 * n + 1;
        } else {
            n = n / 2;
        }
        steps = steps + 1;
    }
    return steps;
}
