// Labels at the end of a block, one after another, before a case, unused, and named like a variable.
// why: names of labels are a space of their own, and a label may stand before any statement.
// expect: 0 10110 10011 11111 21111 10111 end
#include <stdio.h>

int f(int n) {
    int x = 0;
    if (n == 0) goto x;
    if (n == 1) goto first;
    x += 1;
first:
second:
third:
    x += 10;
    if (n == 2) goto end_of_block;
    {
        x += 100;
    end_of_block:;
    }
    switch (n) {
    here:
        case 3: x += 1000;
        unused: default: x += 10000;
    }
    if (n == 4) {
        n++;
        goto here;
    }
x:
    return x;
}

int main(void) {
    for (int n = 0; n < 6; n++) printf("%d ", f(n));
    goto end;
end:
    printf("end\n");
    return 0;
}
