// A loop that can be entered in the middle. How many parameters does each of its entries need?
int two_entries(int second, int n, int step) {
    int rounds = 0;
    if (second) goto middle;
top:
    rounds = rounds + 1;
middle:
    n = n - step * step - 1;
    if (n > 0) goto top;
    return rounds;
}
