// Attributes of GNU C in all places, those with and those without effect on the layout.
// why: real files put them before and after types, names, parameters, enumerators and labels.
// expect: 8 5 8 1 32 5 3 16
// expect: 1 2 1 8 16 8 16
// expect: 5 3 7 12
#include <stdio.h>
__attribute__((packed)) struct not_packed { char c; int i; };
struct packed { char c; int i; } __attribute__((packed, deprecated("unused")));
typedef int wide __attribute__((mode(DI)));
typedef unsigned narrow __attribute__((__mode__(__QI__)));
typedef int aligned __attribute__((aligned(16)));
typedef int unaligned __attribute__((aligned(1)));
struct with_aligned { char c; aligned x; };
struct with_unaligned { char c; unaligned x; };
typedef struct { char c[3]; } three __attribute__((aligned(8)));
struct with_three { char c; three x; char d; };
enum __attribute__((packed)) small { A __attribute__((unused)), B __attribute__((deprecated)) = 1 };
enum medium { C = -1, D = 300 } __attribute__((packed));
enum byte { E = 200 } __attribute__((packed));
struct __attribute__((aligned(sizeof(long)))) computed { char c; };
struct bits { char c; int b : 9 __attribute__((packed)); };
static int second(int first __attribute__((unused)), const char *format __attribute__((nonnull)), ...)
    __asm__("second" "_argument") __attribute__((format(printf, 2, 3)));
static int second(int first, const char *format, ...) { return *format - '0'; }
static int out(int n) {
    if (n) goto end;
    n = 5, n += 2;
    __attribute__((unused)) int local;
end: __attribute__((unused));
unused: __attribute__((unused));
    return n;
}
int one, __attribute__((unused)) two __attribute__((aligned(64))) = 2;
int main(void) {
    const aligned constant = 3;
    unaligned *p = (unaligned *)((char *)&(struct packed) { 'a', 12 } + 1);
    printf("%zu %zu %zu %zu %zu %zu %zu %zu\n", sizeof(struct not_packed), sizeof(struct packed), sizeof(wide),
           sizeof(narrow), sizeof(struct with_aligned), sizeof(struct with_unaligned), sizeof(three),
           sizeof(struct with_three));
    printf("%zu %zu %zu %zu %zu %zu %zu\n", sizeof(enum small), sizeof(enum medium), sizeof(enum byte),
           sizeof(struct computed), _Alignof(aligned), _Alignof(three), _Alignof(constant));
    switch (two) { case 2: one = 5; __attribute__((fallthrough)); default:; }
    printf("%d %d %d %d\n", one, (int)sizeof(struct bits), out(0), *p + second(1, "0") * constant);
}
