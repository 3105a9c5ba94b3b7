// Statement expressions, case ranges, computed `goto`, `typeof`, local labels and attributes.
// why: these extensions are frequent in real files.
// expect: 9 1 2 3 0
// expect: 19 5.0 3 12
// expect: 5 0 4 5
// expect: 7 1
// expect: 4
// expect: 3 10
#include <stdio.h>
static __inline__ __attribute__((always_inline)) int larger(int a, int b) { return ({ int x = a, y = b; x > y ? x : y; }); }
static int kind(int c) {
    switch (c) { case '0' ... '9': return 1; case 'a' ... 'z': case 'A' ... 'Z': return 2; case -5 ... -1: return 3; default: return 0; }
}
static int interpret(const char *code) {
    static const void *labels[] = { &&add, &&twice, &&stop };
    int value = 0;
    goto *labels[*code++ - '0'];
add: value++; goto *labels[*code++ - '0'];
twice: value *= 2; goto *labels[*code++ - '0'];
stop: return value;
}
typedef struct __attribute__((packed)) { char c; int i; } packed;
static int local(int n) { __label__ out; if (n) goto out; n = 5; out: return n; }
struct empty {};
struct zero { int n; int rest[0]; };
int main(void) {
    __auto_type d = 2.5; __typeof__(d) e = d * 2; __typeof__(int[3]) t = { 1, 2, 3 };
    printf("%d %d %d %d %d\n", larger(3, 9), kind('7'), kind('q'), kind(-3), kind('!'));
    printf("%d %.1f %d %d\n", interpret("00110102"), e, t[2], (int)sizeof t);
    printf("%d %d %d %d\n", (int)sizeof(packed), (int)sizeof(struct empty), (int)sizeof(struct zero), local(0));
    printf("%d %d\n", 0 ?: 7, __builtin_types_compatible_p(int, const int));
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += ({ if (i == 1) continue; i + 1; });
    printf("%d\n", sum);
    int count = ({ int n = 0; for (int i = 0, k = 3; i < k; i++) n++; n; });
    printf("%d %d\n", count, ({ int n = 4, rows[n]; for (int i = 0; i < n; i++) rows[i] = n - i; int s = 0; for (int i = 0; i < n; i++) s += rows[i]; s; }));
    return 0;
}
