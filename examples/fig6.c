// Figure 6 of the paper: a redundant set inside of a larger cycle of parameters.
//
// why: `x` has a parameter at each of five labels. `start` (the paper's φ0) is a cycle of its own; `outer`, `middle`,
//      `right` and `left` (φ1 to φ4) form one, into which `start` and the addition enter. `right` and `left` receive
//      only each other and `middle`: Algorithm 5 finds the inner cycle and puts `middle` in its place.
// run: 5 0
// expect: 12
// run: 4 20
// expect: 19
int f(int x, int fuel) {
    if (fuel) goto start;
    x = x + 1;
start:
    fuel = fuel - 1;
outer:
    if (fuel % 2 == 0) goto middle;
    x = x + 3;
middle:
    if (fuel % 3) goto right;
left:
    fuel = fuel - 1;
    if (fuel < 0) goto done;
right:
    fuel = fuel - 1;
    if (fuel % 5 == 0) goto left;
    goto outer;
done:
    return x;
}
