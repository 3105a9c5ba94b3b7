// Tentative definitions, `static` variables of functions, and constant addresses.
// why: equal names in different scopes are different objects; initial values may be addresses.
// expect: 16 2 4
// expect: 102 4 3
// expect: zero one none three 2 4 3 next=18 other=6 
#include <stdio.h>
static int count;
int tentative; int tentative; int tentative = 4; extern int tentative;
int array[]; int array[3] = { 1, 2, 3 };
static int next(void) { static int n = 10; static struct { int a[2]; } s = { { 1, 2 } }; s.a[0]++; return n++ + s.a[0]; }
static int other(void) { static int n; n += 2; { static int n = 100; n++; count = n; } return n; }
static const char *names[] = { "zero", "one", [3] = "three" };
static int *pointers[] = { &array[1], &tentative, array + 2, 0 };
static struct { const char *name; int (*f)(void); } calls[] = { { "next", next }, { "other", &other } };
int main(void) {
    next(); next();
    printf("%d", next());
    printf(" %d", other());
    printf(" %d\n", other());
    printf("%d %d %d\n", count, tentative, (int)(sizeof array / sizeof *array));
    for (int i = 0; i < 4; i++) printf("%s ", names[i] ? names[i] : "none");
    for (int **p = pointers; *p; p++) printf("%d ", **p);
    for (unsigned i = 0; i < sizeof calls / sizeof calls[0]; i++) printf("%s=%d ", calls[i].name, calls[i].f());
    printf("\n");
    return 0;
}
