// Static objects with addresses in members of unions that are not the first ones, or beside floats that are no numbers.
// why: literals of a union denote its first field; such data are of a struct with their addresses and other bytes.
// expect: ("str" 1.5 . 2.5) ()
// expect: 7 x 3 9 z
// expect: 1 three 24
#include <stdio.h>
typedef struct value {
    enum { NIL, NUMBER, STRING, PAIR } type;
    union { double n; const char *s; struct { const struct value *car, *cdr; }; };
} value;
static const value one = { NUMBER, { 1.5 } }, two = { NUMBER, .n = 2.5 }, string = { STRING, .s = "str" };
static const value inner = { PAIR, { .car = &one, .cdr = &two } }, list = { .type = PAIR, .car = &string, .cdr = &inner };
static union { int n; char *s; } table[3] = { { 7 }, { .s = "x" }, { 3 } };
static struct { double d; char *s; } not_a_number = { 0.0 / 0.0, "three" };
static struct { char kind; union { char c; char **p; } u; short last; } mixed[] = { { 'p', { .p = &table[1].s }, 9 }, { 'c', { 'z' } } };
static void print(const value *v) {
    switch (v->type) {
        case NIL: printf("()"); break;
        case NUMBER: printf("%g", v->n); break;
        case STRING: printf("\"%s\"", v->s); break;
        case PAIR:
            putchar('(');
            for (;; v = v->cdr, putchar(' ')) {
                print(v->car);
                if (v->cdr->type != PAIR) break;
            }
            if (v->cdr->type) printf(" . "), print(v->cdr);
            putchar(')');
    }
}
int main(void) {
    static const value nil;
    print(&list), putchar(' '), print(&nil), putchar('\n');
    printf("%d %s %d %d %c\n", table[0].n, *mixed[0].u.p, table[2].n, mixed[0].last, mixed[1].u.c);
    printf("%d %s %d\n", not_a_number.d != not_a_number.d, not_a_number.s, (int)sizeof table);
    return 0;
}
