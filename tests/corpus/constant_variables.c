// Constant local variables, arrays and structs whose addresses are taken, in loops and behind labels.
// why: each is initialised before it becomes constant, each time, and only then.
// expect: 0 1 2 abc 7
// expect: 1 2 3 abc 8
// expect: 2 3 4 abc 9
// expect: 3 2 1 0
// expect: 5 6 16 12
// status: 9
#include <stdio.h>

struct s { int n, a[2]; const struct s *next; };

static int read(const int *p) { return *p; }
static struct s made(int n) { return (struct s){n, {n + 1, n + 2}, 0}; }
static int passed(const int n, const struct s v) { return read(&n) + read(v.a); }

int main(void) {
    for (int i = 0; i < 3; i++) {
        const int x = i, y[] = {i, i + 1};
        const struct s v = made(i), w = {7 + i, {0}, &v};
        const char text[] = "abc";
        printf("%d %d %d %s %d\n", read(&x), read(y + 1), read(&w.next->a[1]), text, read(&w.n));
    }
    int n = 3;
again:;
    const int again_and_again = n;
    printf(n ? "%d " : "%d\n", read(&again_and_again));
    if (n-- > 0) goto again;
    const struct s self = {5, {6}, &self};
    switch (passed(read(&self.next->n), made(10))) {
        const int before = 3;
    case 16:
        (void)&before;
        printf("%d %d 16 %d\n", self.n, read(self.next->a), ({ const int in = 12; read(&in); }));
    }
    while (read((const int[]){n + 1}) < 9) n++;
    return n + 1;
}
