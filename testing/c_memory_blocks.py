"""Blocks of generated C programs that use memory as programs do: lists, trees, tables, strings, callbacks and so on.

Each is complete in itself and becomes a block in braces: its objects end with it, what it allocates is freed, and it
prints what it computes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from testing.c_expressions import INT, INTEGERS, CType, Expressions
from testing.c_memory_types import WORDS, Array, Object, Record, Types, scalars


@dataclass
class Ground:
    """What a block may use: the objects in scope, expressions, helper functions, and a number for names of labels."""

    types: Types
    expressions: Expressions
    objects: Sequence[Object]
    helpers: set[str]
    number: int

    def __post_init__(self) -> None:
        self.choose = self.types.choose
        self.pick = self.choose.pick

    def value(self) -> str:
        """A number, without effects."""
        return self.expressions.integer(1)

    def below(self, limit: int) -> str:
        """A number in ``0 … limit - 1``."""
        return f"(unsigned)({self.value()}) % {limit}"

    def word(self) -> str:
        """One of the strings."""
        return f"words[{self.below(len(WORDS))}]"

    def array(self) -> Object | None:
        """An array of integers other than `bool`, which may be changed."""
        fitting = [
            each
            for each in self.objects
            if isinstance(each.type, Array) and each.type.element in INTEGERS and not each.is_constant
        ]
        fitting = [each for each in fitting if each.type.element.name != "bool"]
        return self.pick(fitting) if fitting else None


def _heap(g: Ground) -> list[str]:
    count = g.choose.number(1, 5)
    records: list[Record | CType] = [*g.types.structs, INT, INTEGERS[2]]
    record = g.pick(records)
    zero = f"({record.name}){g.types.initialiser(record)}" if isinstance(record, Record) else "0"
    more = [f"h = realloc(h, {2 * count} * sizeof *h);", f"h[{count}] = h[{count - 1}];"] * g.choose.number(0, 1)
    shown = scalars(Object(f"h[{count - 1}]", record))[:1]
    allocation = g.pick((f"malloc({count} * sizeof *h)", f"calloc({count}, sizeof *h)"))
    return [
        f"{record.name} *h = {allocation};",
        f"for (int k = 0; k < {count}; k++) h[k] = {zero};",
        *more,
        *(f"{each.text} = {g.value()};" for each in shown),
        *(f'printf("%d ", (int)({each.text} > 5));' for each in shown),
        "free(h);",
    ]


def _variable_array(g: Ground) -> list[str]:
    g.helpers.add("total")
    return [
        f"int n = (int)({g.below(4)}) + 1, w[n][2], (*row)[2] = w;",
        "for (int k = 0; k < n; k++, row++) (*row)[0] = k, w[k][1] = -k;",
        f"w[n - 1][1] += {g.value()};",
        'printf("%d %d %d ", (int)(sizeof w / sizeof *w), total(n, 2, w), (int)(row - w));',
    ]


def _variable_rows(g: Ground) -> list[str]:
    g.helpers.add("total")
    return [
        f"int n = (int)({g.below(3)}) + 1, m = n + 1, grid[n][m];",
        f"for (int r = 0; r < n; r++) for (int c = 0; c < m; c++) grid[r][c] = r * 7 - c * (int)({g.below(5)});",
        "int (*last)[m] = &grid[n - 1];",
        "(*last)[0]--, last[0][m - 1] = 6;",
        'printf("%d %d ", total(n, m, grid), (int)(sizeof *last / sizeof(int)));',
    ]


def _text(g: Ground) -> list[str]:
    return [
        f'char text[12] = "{g.pick(WORDS)}", copy[12];',
        f"strcpy(copy, {g.word()});",
        g.pick(("memcpy(text, copy, sizeof text / 4);", "text[0] = 'Q';", "memset(text + 2, 'z', 3);")),
        "text[11] = 0;",
        "for (char *p = text; *p && p < text + 11; p++) *p ^= 1, *p ^= 1;",
        'printf("%s/%s ", copy, strcmp(copy, text) ? "differs" : "same");',
    ]


def _text_copy(g: Ground) -> list[str]:
    loop = g.pick(("while ((*to++ = *from++)) ;", "do { *to = *from++; } while (*to++);"))
    return [
        f"const char *from = {g.word()}, *start = from;",
        "char copy[8], *to = copy;",
        loop,
        'printf("%s %d %d ", copy, (int)(to - copy), (int)(from - start));',
        "while (--to > copy) to[-1] ^= ' ';",
        'printf("%.3s ", copy);',
    ]


def _tokens(g: Ground) -> list[str]:
    line = g.pick(("one two  three", " 12+x*34 ", "a,b;;c", ""))
    return [
        f'char line[] = "{line}";',
        "int found = 0;",
        "for (char *p = line; *p;) {",
        "while (*p == ' ' || *p == ',' || *p == ';') p++;",
        "char *token = p;",
        "while (*p && *p != ' ' && *p != ',' && *p != ';') p++;",
        "if (p == token) break;",
        "char *end = p;",
        "if (*p) p++;",
        "*end = 0;",
        'printf("[%s]%d ", token, ++found);',
        "}",
    ]


def _list(g: Ground) -> list[str]:
    return [
        "struct node { int value; struct node *next; } *head = 0;",
        f"for (int k = 0; k < {g.choose.number(0, 4)}; k++) {{",
        "struct node *new = malloc(sizeof *new);",
        "*new = (struct node){k * k, head};",
        "head = new;",
        "}",
        "while (head) {",
        "struct node *next = head->next;",
        'printf("%d ", head->value);',
        "free(head);",
        "head = next;",
        "}",
    ]


def _sorted_list(g: Ground) -> list[str]:
    return [
        "struct item { struct item *next; int key; } items[4], *first = NULL, **at;",
        "for (int k = 0; k < 4; k++) {",
        f"items[k].key = (int)({g.value()}) % 10 - k;",
        "for (at = &first; *at && (*at)->key < items[k].key; at = &(*at)->next) ;",
        "items[k].next = *at;",
        "*at = &items[k];",
        "}",
        "for (at = &first; *at;)",
        f"if ((*at)->key % 2 == {g.choose.number(0, 1)}) *at = (*at)->next;",
        "else at = &(*at)->next;",
        'for (struct item *p = first; p; p = p->next) printf("%d ", p->key);',
    ]


def _tree(g: Ground) -> list[str]:
    g.helpers.add("insert")
    return [
        "struct tree *root = NULL;",
        f"for (int k = 0; k < {g.choose.number(1, 6)}; k++) insert(&root, (int)({g.value()}) % 20 ^ k);",
        'printf("%d ", height(root));',
        "drop(root);",
    ]


def _entered_scope(g: Ground) -> list[str]:
    """A scope with objects that is entered in the middle, by a case."""
    return [
        f"switch ({g.below(3)}) {{",
        "int box[2];",
        "case 0:;",
        f"box[0] = {g.value()};",
        'printf("%d ", *box);',
        "break;",
        "case 1:;",
        "default:;",
        "box[1] = 8;",
        'printf("%d ", box[1]);',
        "}",
    ]


def _entered_again(g: Ground) -> list[str]:
    """A scope with objects that is left and entered again by a `goto`."""
    label = f"again{g.number}"
    length = g.pick(("3", "1 + (rounds & 1)"))
    return [
        "int rounds = 0;",
        f"{label}:;",
        "{",
        f"int box[{length}], *p = box;",
        f"*p = rounds + ({g.value()} > 5);",
        f"if (++rounds < {g.choose.number(1, 4)}) goto {label};",
        'printf("%d %d ", box[0], rounds);',
        "}",
    ]


def _walk(g: Ground) -> list[str] | None:
    """Pointers that walk through an array, forwards or backwards."""
    array = g.array()
    if array is None:
        return None
    assert isinstance(array.type, Array) and isinstance(array.type.element, CType)
    name, length = array.type.element.name, array.type.length
    forms = (
        [f"for ({name} *p = {array.text}; p < {array.text} + {length}; p++) *p += {g.value()};"],
        [f"for ({name} *p = {array.text}, *end = p + {length}; p != end;) *p++ ^= {g.value()};"],
        ["{", f"{name} *p = {array.text} + {length};", f"while (p > {array.text}) *--p -= 3;", "}"],
        ["{", f"{name} (*all)[{length}] = &{array.text};", f"(*all)[{g.below(length)}] = {g.value()};", "}"],
        ["{", "int at = 0;", f"{array.text}[at++] = {g.value()};", f"{array.text}[--at] += 2;", "}"],
        [f"memmove({array.text} + {length // 2}, {array.text}, {length - length // 2} * sizeof *{array.text});"],
        [f"memset({array.text}, {g.choose.number(0, 255)}, sizeof {array.text});"],
    )
    return g.pick(forms)


def _bytes(g: Ground) -> list[str]:
    """The bytes of a number."""
    type = g.pick([type for type in INTEGERS if type.name != "bool"])
    return [
        f"{type.name} number = {g.value()}, same;",
        "unsigned char *bytes = (unsigned char *)&number;",
        f"bytes[sizeof number - 1] ^= {g.choose.number(0, 255)};",
        "for (unsigned k = 0; k < sizeof number; k++) ((char *)(void *)&same)[k] = bytes[k];",
        'printf("%ld %d ", (long)number, number == same);',
    ]


def _callback(g: Ground) -> list[str]:
    g.helpers.add("each")
    start = g.choose.number(0, 5)
    return [
        f"struct context sum = {{{g.choose.number(0, 3)}, &numbers[2]}};",
        f"each(numbers + {start}, {g.choose.number(0, 8 - start)}, {g.pick(('adds', '&counts'))}, &sum);",
        'printf("%ld %d ", sum.sum, *sum.last);',
    ]


def _machine(g: Ground) -> list[str]:
    """A machine whose states are functions that return the next state."""
    g.helpers.add("states")
    return [
        f"struct run run = {{words[{g.choose.number(0, 7)}], {g.choose.number(0, 9)}}};",
        f"for (struct state s = {{{g.pick(('letters', 'others'))}}}; s.next;) s = s.next(&run);",
        'printf("%d ", run.count);',
    ]


def _interpreter(g: Ground) -> list[str]:
    """An interpreter that jumps to the addresses of labels."""
    code = ", ".join(str(g.choose.number(0, 2)) for _ in range(g.choose.number(0, 6)))
    names = [f"{word}{g.number}" for word in ("push", "add", "swap", "halt")]
    return [
        f"static void *const jumps[] = {{{', '.join(f'&&{name}' for name in names)}}};",
        f"static const unsigned char code[] = {{{code}{', ' if code else ''}3}};",
        f"const unsigned char *pc = code; int stack[12] = {{1, (int)({g.value()}) % 50}}, *top = stack + 1;",
        "goto *jumps[*pc];",
        f"{names[0]}:; top++, *top = top[-1] + 1; goto *jumps[*++pc];",
        f"{names[1]}:; *top += stack[0]; goto *jumps[*++pc];",
        f"{names[2]}:; {{ int t = *top; *top = top[-1]; top[-1] = t; }} goto *jumps[*++pc];",
        f"{names[3]}:;",
        'printf("%d %d ", *top, (int)(top - stack));',
    ]


def _flexible(g: Ground) -> list[str]:
    length = g.choose.number(0, 4)
    return [
        "struct flexible { unsigned char length; short data[]; } *f;",
        f"f = malloc(sizeof *f + {length} * sizeof f->data[0]);",
        f"for (f->length = 0; f->length < {length}; f->length++) f->data[f->length] = {g.value()};",
        'printf("%d %d ", (int)sizeof *f, f->length ? f->data[f->length - 1] : -1);',
        "free(f);",
    ]


def _tagged(g: Ground) -> list[str]:
    """Values of several types, with tags."""
    kinds = ["{INTEGER, {%s}}", "{REAL, {.d = 0.5}}", "{TEXT, .s = words[%s]}", "{.kind = PAIR, .p = {1, -%s}}"]
    values = ", ".join(g.pick(kinds).replace("%s", str(g.choose.number(0, 7))) for _ in range(g.choose.number(1, 4)))
    return [
        "enum kind { INTEGER = 1, REAL, TEXT = 7, PAIR };",
        "struct value { enum kind kind; union { long i; double d; const char *s; struct { short a, b; } p; }; };",
        f"struct value values[] = {{{values}}};",
        "for (struct value *v = values; v < values + sizeof values / sizeof *values; v++) {",
        "switch (v->kind) {",
        'case INTEGER: printf("%ld ", v->i++); break;',
        'case REAL: printf("%g ", v->d * 3); break;',
        'case TEXT: printf("%s ", v->s); break;',
        'case PAIR ... PAIR + 1: printf("%d,%d ", v->p.a, v->p.b);',
        "}",
        "}",
    ]


def _bits(g: Ground) -> list[str]:
    first, second, third = (g.choose.number(1, 12) for _ in range(3))
    return [
        f"struct bits {{ unsigned a : {first}; int b : {second}; unsigned : 0; unsigned char c : 3;",
        f"long d : {third}; _Bool e : 1; }};",
        f"struct bits one = {{{g.choose.number(0, 1)}}}, *p = &one;",
        f"p->a += {g.value()}, p->b = {g.value()}, p->c--, one.d ^= {g.value()}, p->e = {g.value()};",
        "struct bits two = *p;",
        "p->b = p->a++;",
        'printf("%d %d %d %d %d %d ", (int)one.a, two.b, one.c, (int)two.d, one.e, (int)sizeof one);',
    ]


def _static_pointer(g: Ground) -> list[str]:
    g.helpers.add("counter")
    return [f"*counter({g.value()}) += {g.choose.number(1, 9)};", 'printf("%d ", *counter(0));']


def _sort(g: Ground) -> list[str]:
    g.helpers.add("sort")
    if g.choose.number(0, 1):
        return [
            f'const char *some[] = {{{g.word()}, words[3], {g.word()}, "x" "y"}};',
            "sort(some, 4, sizeof *some, by_text);",
            'printf("%s%s%s%s ", some[0], some[1], some[2], some[3]);',
        ]
    return [
        f"int some[5] = {{4, (int)({g.value()}), -1, (int)({g.value()}), 9}};",
        "sort(some + 1, 4, sizeof(int), by_number);",
        'for (int k = 0; k < 5; k++) printf("%d ", some[k] % 1000);',
    ]


def _table(g: Ground) -> list[str]:
    """A hash table with open addresses, of keys that are strings."""
    return [
        "struct entry { const char *key; int count; } table[11] = {{0}};",
        f"for (int k = 0; k < {g.choose.number(1, 9)}; k++) {{",
        f"const char *key = words[(k * 5 + (unsigned)({g.value()})) % {len(WORDS)}];",
        "unsigned hash = 7;",
        "for (const char *p = key; *p; p++) hash = hash * 31 + *p;",
        "struct entry *e = &table[hash % 11];",
        "while (e->key && strcmp(e->key, key) != 0) if (++e == table + 11) e = table;",
        "e->key = key, e->count++;",
        "}",
        'for (int k = 0; k < 11; k++) if (table[k].key) printf("%s:%d ", table[k].key, table[k].count);',
    ]


def _matrix(g: Ground) -> list[str]:
    return [
        f"int n = {g.choose.number(1, 3)}, **rows = malloc(n * sizeof *rows), product[3][3] = {{[1] = {{[2] = 1}}}};",
        "for (int r = 0; r < n; r++) {",
        "rows[r] = calloc(n, sizeof **rows);",
        f"for (int c = 0; c < n; c++) rows[r][c] = r - (int)({g.below(9)}) * c;",
        "}",
        "for (int r = 0; r < n; r++) for (int c = 0; c < n; c++)",
        "for (int k = 0; k < n; k++) product[r][c] += rows[r][k] * rows[k][c];",
        "for (int r = n; r-- > 0;) free(rows[r]);",
        "free(rows);",
        'printf("%d %d %d ", product[0][0], product[n - 1][n / 2], product[1][2]);',
    ]


def _numbers_of_pointers(g: Ground) -> list[str]:
    return [
        "int *p = numbers + 2; void *v = p; long l = (long)v;",
        "unsigned long step = (unsigned long)(p + 1) - (unsigned long)p;",
        f"p = (int *)(l + {g.choose.number(-1, 1)} * (long)step);",
        f"*p ^= {g.value()};",
        'printf("%d %d %d %d ", *(int *)v, p == v, p > (int *)v, (int)(p - numbers));',
    ]


def _offsets(g: Ground) -> list[str]:
    record = g.pick(g.types.structs)
    plain = [field for field in record.fields if not field.bits and field.name not in ("low", "high")]
    where = "".join(f", (int)offsetof({record.name}, {field.name})" for field in plain[-1:])
    formats = "%d " * (2 + len(plain[-1:]))
    return [f'printf("{formats}", (int)sizeof({record.name}), (int)_Alignof({record.name}){where});']


def _table_of_records(g: Ground) -> list[str]:
    """Constant data with addresses, designated out of order."""
    return [
        "static const struct row { const char *name; int (*f)(int, int); const int *at; char tag[4]; } rows[4] = {",
        f'[2] = {{"two", op1, .tag = "ab", .at = &numbers[{g.choose.number(0, 7)}]}},',
        f'[0 ... 1] = {{.name = "low" + {g.choose.number(0, 3)}, .f = op0, numbers, {{1, [2] = 3}}}},',
        "[3] = {0},",
        "};",
        f"const struct row *r = rows + {g.below(3)};",
        'printf("%s %d %d %d ", r->name, r->f(*r->at, 3), r->tag[1], rows[3].f == NULL);',
    ]


def _rotated(g: Ground) -> list[str]:
    """Records that change places, by pointers and through calls."""
    record = g.pick(g.types.structs)
    first, second = (g.types.initialiser(record) for _ in range(2))
    number = g.types.structs.index(record)
    return [
        f"{record.name} pair[2] = {{{first}, {second}}}, *one = pair, *two = &pair[1], t = *one;",
        f"*one = changed{number}(*two, {g.choose.number(0, 9)}), *two = t;",
        f'printf("%lu %lu ", sum{number}(*one), sum{number}(*touched{number}(two)));',
    ]


BLOCKS: tuple[Callable[[Ground], list[str] | None], ...] = (
    *(_heap, _variable_array, _variable_rows, _text, _text_copy, _tokens, _list, _sorted_list, _tree),
    *(_entered_scope, _entered_again, _walk, _walk, _walk, _bytes, _callback, _machine, _interpreter, _flexible),
    *(_tagged, _bits, _static_pointer, _sort, _table, _matrix, _numbers_of_pointers, _offsets),
    *(_table_of_records, _rotated),
)
"""Each returns its lines, or None if there is no object for it."""

HELPERS = {
    "vsum": """
static long vsum(int n, ...) {
    va_list ap;
    long s = 0;
    va_start(ap, n);
    while (n-- > 0) s = s * 3 + va_arg(ap, int);
    va_end(ap);
    return s;
}
""",
    "vpassed": """
static long vlisted(int n, va_list ap) { return n ? va_arg(ap, int) + 5 * vlisted(n - 1, ap) : 0; }
static long vpassed(int n, ...) {
    va_list ap;
    va_start(ap, n);
    long s = vlisted(n, ap);
    va_end(ap);
    return s;
}
""",
    "vmix": """
static double vmix(const char *kinds, ...) {
    va_list ap, again;
    double s = 0;
    va_start(ap, kinds);
    va_copy(again, ap);
    for (; *kinds; kinds++) {
        if (*kinds == 'i') s += va_arg(ap, int) % 1000;
        else if (*kinds == 'l') s += (double)(va_arg(ap, long) % 1000);
        else if (*kinds == 'd') s += va_arg(ap, double) > 0 ? 1 : 2;
        else s += va_arg(ap, int *)[1] % 100;
    }
    s += va_arg(again, int) % 10;
    va_end(again);
    va_end(ap);
    return s;
}
""",
    "applied": """
static int applied(int f(int, int), int n, const int *p) {
    int s = 0;
    while (n-- > 0) s = f(s, *p++);
    return s;
}
""",
    "chosen": """
static int (*chosen(int n))(int, int) { return n & 1 ? op0 : &op1; }
""",
    "depth": """
static int depth(int n, const int *outer) {
    int own[2] = {n, outer ? *outer * 3 : 1};
    return n > 0 ? depth(n - 1, own + (n & 1)) + own[1] : own[1];
}
""",
    "total": """
static int total(int rows, int columns, int a[rows][columns]) {
    int s = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) s = s * 3 + a[r][c];
    return s;
}
""",
    "insert": """
struct tree { struct tree *child[2]; int key; };
static void insert(struct tree **at, int key) {
    while (*at && (*at)->key != key) at = &(*at)->child[key > (*at)->key];
    if (*at) return;
    *at = calloc(1, sizeof **at);
    (*at)->key = key;
}
static int height(const struct tree *t) {
    if (!t) return 0;
    int left = height(t->child[0]), right = height(t->child[1]);
    return 1 + (left > right ? left : right);
}
static void drop(struct tree *t) {
    if (!t) return;
    drop(t->child[0]);
    printf("%d ", t->key);
    drop(t->child[1]);
    free(t);
}
""",
    "each": """
struct context { long sum; const int *last; };
static void adds(int *p, void *context) { ((struct context *)context)->sum += *p; }
static void counts(int *p, void *context) {
    struct context *c = context;
    c->sum++, c->last = p;
}
static void each(int *p, int n, void (*f)(int *, void *), void *context) {
    for (int k = 0; k < n; k++) f(p + k, context);
}
""",
    "states": """
struct run { const char *at; int count; };
struct state { struct state (*next)(struct run *); };
static struct state others(struct run *r);
static struct state letters(struct run *r) {
    while (*r->at >= 'a' && *r->at <= 'z') r->count += *r->at++;
    return (struct state){*r->at ? others : NULL};
}
static struct state others(struct run *r) {
    if (!*r->at) return (struct state){0};
    r->count -= *r->at++;
    return (struct state){.next = &letters};
}
""",
    "counter": """
static int *counter(int start) {
    static int count = 4, *last;
    if (!last) last = &count, count = start;
    return last;
}
""",
    "sort": """
static int by_number(const void *a, const void *b) {
    return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static void sort(void *base, int n, unsigned long size, int (*compare)(const void *, const void *)) {
    char *p = base, t[16];
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && compare(p + (j - 1) * size, p + j * size) > 0; j--) {
            memcpy(t, p + j * size, size);
            memcpy(p + j * size, p + (j - 1) * size, size);
            memcpy(p + (j - 1) * size, t, size);
        }
}
""",
}
"""Functions, with their types, that blocks and expressions call, by one name."""
