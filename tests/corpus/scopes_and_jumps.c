// Objects in scopes that jumps enter and leave.
// why: each object is allocated and deallocated once on every path.
// expect: 30 7  30 15  92 24  92 5  123 30  0 33  
#include <stdio.h>

static int sum(const int *p, int n) {
    int s = 0;
    while (n-- > 0) s += *p++;
    return s;
}

static int search(int limit) {
    for (int i = 0; i < 5; i++) {
        int row[3] = {i, i + 1, i + 2};
        for (int *p = row; p < row + 3; p++) {
            int cell = *p, *q = &cell;
            if (*q == 3) continue;
            if (*q > limit) goto found;
            if (*q == 100) return -1;
        }
        if (sum(row, 3) == 12) break;
        continue;
    found:
        return sum(row, 3) * 10 + i;
    }
    return 0;
}

static int enter(int n) {
    int result = 0;
    if (n == 1) goto inside;
    switch (n) {
        int values[2];
        case 3:
            values[0] = 5;
            result = values[0];
            break;
        default: {
            int other[2] = {n, n};
        inside:
            other[0] = 7;
            other[1] = n;
            result += sum(other, 2);
            if (n-- > 0 && result < 30) goto inside;
        }
    }
    return result;
}

int main(void) {
    for (int i = 0; i < 6; i++) printf("%d %d  ", search(i), enter(i));
    printf("\n");
    return 0;
}
