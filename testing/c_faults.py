"""Faults of memory for generated C programs: blocks to plant, each with one access that is wrong.

Every block exists twice, determined by a kind and a number: with the fault, and without it, which differs only in a
value, an object or a type. The comments `OPEN` and `CLOSE` mark the access.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from testing.c_programs import random_program
from testing.choices import Choices, Rolled

OPEN, CLOSE = "/*<*/", "/*>*/"

REACHED = "reached"
"""The output of a block before its access."""

_TYPES = ("int", "char", "unsigned char", "short", "long", "unsigned", "double")


class Ground:
    """The material of a block: choices, and whether it has the fault. `outside` are lines before all functions.

    In programs with bit-fields, `malloc` gives memory that counts as written.
    """

    def __init__(self, choose: Choices, faulty: bool, has_bit_fields: bool) -> None:
        self.choose = choose
        self.number = choose.number
        self.pick = choose.pick
        self.outside: list[str] = []
        self.has_bit_fields = has_bit_fields
        self._faulty = faulty
        self.type = choose.pick(_TYPES)
        self.length = choose.number(1, 6)

    def either(self, good: object, faulty: object) -> str:
        """The one or the other."""
        return str(faulty if self._faulty else good)

    def index(self, length: int) -> str:
        """An index of an array of that length; with the fault, one that is out of bounds."""
        good = self.number(0, length - 1)
        return self.either(good, self.pick((length, length + 1, length + 2, -1, -2)))

    def read(self, lvalue: str) -> str:
        """A line that reads a number."""
        access = f"{OPEN}{lvalue}{CLOSE}"
        forms = (
            'printf("%ld ", (long){});',
            'printf("%d ", {} > 3);',
            'if ({}) puts("yes");',
            "numbers[0] = {};",
            "numbers[1] += {} != 0 ? 2 : 1;",
            "for (int k = 0; k < 2 && {}; k++) numbers[2] = k;",
            'printf("%d ", abs((int){}));',
            "for (; {} > 100;) break;",
            'printf("%s ", !{} ? "zero" : "other");',
        )
        return self.pick(forms).format(access)

    def use(self, lvalue: str) -> str:
        """A line that reads or changes a number."""
        if self.number(0, 1):
            return self.read(lvalue)
        forms = ("{} = 5", "{} += 3", "{}++", "numbers[3] = <({} = 7)>", "<({} *= 2)>", "numbers[4] += <{}-->", "--{}")
        form = self.pick(forms)
        if lvalue.startswith("*") and ("++" in form or "{}--" in form):
            lvalue = f"({lvalue})"
        marked = form if "<" in form else f"<{form}>"
        return marked.replace("<", OPEN).replace(">", CLOSE).format(lvalue) + ";"

    def array(self) -> tuple[list[str], str]:
        """The declaration of an array on the stack, of static storage or on the heap, and its name."""
        forms = (
            f"{self.type} box[{self.length}] = {{1, }};",
            f"static {self.type} box[{self.length}] = {{1, }};",
            f"struct {{ {self.type} items[{self.length}]; }} whole = {{{{2}}}}; {self.type} *box = whole.items;",
            f"{self.type} *box = calloc({self.length}, sizeof *box);",
            f"{self.type} *box = calloc(1, 1); box = memset(realloc(box, {self.length} * sizeof *box), 0, "
            f"{self.length} * sizeof *box);",
            f"int n = {self.length}; {self.type} box[n]; memset(box, 0, sizeof box);",
            f"{self.type} box[{self.length}], *first = box; memset(first, 1, sizeof box);",
        )
        return [self.pick(forms)], "box"


# ----------------------------------------------------------------------------------------------------------- bounds


def _element(g: Ground) -> list[str]:
    declared, name = g.array()
    forms = (f"{name}[at]", f"*({name} + at)", f"at[{name}]", f"(&{name}[at])[0]", f"*&{name}[at]")
    return [*declared, f"int at = {g.index(g.length)};", g.use(g.pick(forms))]


def _moved_pointer(g: Ground) -> list[str]:
    declared, name = g.array()
    move = g.pick(("p += at;", "p = p + at;", "if (at > 0) for (int k = 0; k < at; k++) p++; else while (at++) p--;"))
    index = g.index(g.length)
    return [*declared, f"{g.type} *p = {name};", f"int at = {index};", move, g.use(g.pick(("*p", "p[0]", "*(p)")))]


def _loop(g: Ground) -> list[str]:
    declared, name = g.array()
    compare = g.either("<", "<=")
    return [*declared, f"for (int k = 0; k {compare} {g.length}; k++)", g.use(f"{name}[k]")]


def _nested(g: Ground) -> list[str]:
    """An index that is outside of the whole array of arrays."""
    rows, columns = g.number(1, 3), g.number(1, 3)
    at, column = g.index(rows), g.number(0, columns - 1)
    storage = g.pick(("", "static "))
    forms = (
        [g.use(f"grid[at][{column}]")],
        [f"{g.type} (*row)[{columns}] = grid + at;", g.use(f"(*row)[{column}]")],
        [f"{g.type} *flat = grid[0];", g.use(f"flat[at * {columns} + {column}]")],
    )
    return [f"{storage}{g.type} grid[{rows}][{columns}] = {{{{1}}}};", f"int at = {at};", *g.pick(forms)]


def _in_records(g: Ground) -> list[str]:
    count = g.number(1, 3)
    at, inner = g.index(count), g.number(0, g.length - 1)
    declared = f"struct {{ char c; {g.type} f[{g.length}]; struct {{ int n; }} in; }} s[{count}] = {{{{1}}}}"
    part = g.pick((f"f[{inner}]", "in.n", "c"))
    return [f"{declared}, *p = s;", f"int at = {at};", g.use(g.pick((f"s[at].{part}", f"(p + at)->{part}")))]


def _record_beyond(g: Ground) -> list[str]:
    declared = f"struct {{ int first; {g.type} second[2]; }} s = {{1, {{2, 3}}}}, t = s, *p = &s + {g.either(0, 1)};"
    return [
        declared,
        g.pick((g.use("p->first"), g.use("p->second[1]"), f"{OPEN}t = *p{CLOSE};", f"{OPEN}*p = t{CLOSE};")),
    ]


def _text(g: Ground) -> list[str]:
    words = ("", "a", "four", "x\\ty")
    word = g.pick(words)
    length = len(word.replace("\\t", "\t")) + 1
    return [f'const char *word = "{word}";', f"int at = {g.index(length)};", g.read("word[at]")]


def _union_bytes(g: Ground) -> list[str]:
    return ["union punned u = {5}, *p = &u;", f"int at = {g.index(4)};", g.use(g.pick(("u.bytes[at]", "p->bytes[at]")))]


def _library(g: Ground) -> list[str]:
    size = g.number(2, 6)
    more = g.either(size, size + g.number(1, 3))
    text = "abcdefghi"
    forms = (
        [f"{OPEN}memset(text, 'x', {more}){CLOSE};"],
        [f'{OPEN}memcpy(text, "{text}", {more}){CLOSE};'],
        [f"char other[16] = {{0}}; {OPEN}memmove(other, text, {more}){CLOSE};"],
        [f'{OPEN}strcpy(text, "{text[: size - 1]}{g.either("", "z")}"){CLOSE};'],
        [f"memset(text, 'x', {g.either(size - 1, size)}); numbers[0] = {OPEN}strlen(text){CLOSE};"],
        [f"memset(text, 'x', {g.either(size - 1, size)}); {OPEN}printf(\"%s \", text){CLOSE};"],
        [f"char other[16] = {{0}}; numbers[0] = {OPEN}memcmp(text, other, {more}){CLOSE} == 0;"],
    )
    return [g.pick((f"char text[{size}] = {{0}};", f"char *text = calloc({size}, 1);")), *g.pick(forms)]


def _in_callee(g: Ground) -> list[str]:
    g.outside += [f"static long peek({g.type} *p, int at) {{", "    " + g.use("p[at]"), "    return 0;", "}"]
    declared, name = g.array()
    return [*declared, f"peek({name}, {g.index(g.length)});"]


# --------------------------------------------------------------------------------------------------------- lifetime


def _scope(g: Ground) -> list[str]:
    inner = g.pick((f"{g.type} x = 1;", f"{g.type} y[2] = {{1, 2}}, *q = y;"))
    address = "&x" if "x" in inner else "q + 1"
    return [
        f"{g.type} *p, outer = 1;",
        "{",
        inner,
        f"p = {address};",
        f"p = {g.either('&outer', 'p')};",
        "}",
        g.use("*p"),
    ]


def _iteration(g: Ground) -> list[str]:
    return [
        f"{g.type} *p = 0, outer[2] = {{1, 2}};",
        "for (int k = 0; k < 3; k++) {",
        f"{g.type} box[2] = {{k, k}};",
        f"if (k == {g.number(0, 2)}) p = {g.either('outer', 'box')};",
        "box[0]++;",
        "}",
        g.use(f"p[{g.number(0, 1)}]"),
    ]


def _freed(g: Ground) -> list[str]:
    count = g.number(1, 4)
    end = g.pick(("free(h);", "free((void *)h);", "h = realloc(h, 4000);"))
    at = g.number(0, count - 1)
    compared = f"numbers[5] = {OPEN}memcmp(old, numbers, sizeof *old){CLOSE} > 0;"
    return [
        f"{g.type} *h = calloc({count}, sizeof *h), *old = h;",
        g.either("free(calloc(1, 8));", end),
        g.pick((g.use(f"old[{at}]"), g.use(f"*(old + {at})"), compared)),
    ]


def _freed_node(g: Ground) -> list[str]:
    """A list that is freed by a loop that takes `next` from a freed node."""
    access = f"{OPEN}{g.either('next', 'head->next')}{CLOSE}"
    return [
        "struct node { struct node *next; int value; } *head = 0;",
        f"for (int k = 0; k < {g.number(1, 3)}; k++) {{",
        "struct node *new = malloc(sizeof *new);",
        "new->next = head, new->value = k;",
        "head = new;",
        "}",
        "while (head) {",
        "struct node *next = head->next;",
        "free(head);",
        f"head = {access};",
        "}",
    ]


def _returned(g: Ground) -> list[str]:
    """The address of a local variable of a function that has returned."""
    local = g.pick((f"{g.type} x[2] = {{3, 4}}; {g.type} *p = x + 1;", f"{g.type} x = 3; {g.type} *p = &x;"))
    g.outside += [f"static {g.type} *local(void) {{", f"    {g.either('static ', '')}{local}", "    return p;", "}"]
    return [f"{g.type} *p = local();", g.use(g.pick(("*p", "p[0]")))]


def _in_record(g: Ground) -> list[str]:
    """A dangling pointer in a struct, which was copied."""
    return [
        f"struct {{ int n; {g.type} *p; }} s = {{0}}, t;",
        g.either(";", "{"),
        f"{g.type} x[1] = {{2}};",
        "s.p = x;",
        g.either(";", "}"),
        "t = s;",
        g.use(g.pick(("*t.p", "s.p[0]"))),
    ]


# --------------------------------------------------------------------------------------------------------- free


def _double_free(g: Ground) -> list[str]:
    again = g.pick((f"{OPEN}free(other){CLOSE};", f"other = {OPEN}realloc(other, 8){CLOSE};", f"{OPEN}free(h){CLOSE};"))
    first = g.pick(("free(h);", "free(other);", "free((char *)h);"))
    return [f"{g.type} *h = malloc({g.length} * sizeof *h), *other = h;", g.either(";", first), again]


def _double_free_in_callee(g: Ground) -> list[str]:
    g.outside += [
        "static void release(void *p, int times) {",
        "    while (times-- > 0)",
        f"        {OPEN}free(p){CLOSE};",
        "}",
    ]
    return [f"release(malloc({g.length}), {g.either(1, 2)});"]


def _not_the_start(g: Ground) -> list[str]:
    wrong = g.pick(("h + 1", "(char *)h + 1", "&h[2]", "&local", "&numbers[0]", '(void *)"text"'))
    end = g.pick(
        (f"{OPEN}free({g.either('h', wrong)}){CLOSE};", f"p = {OPEN}realloc({g.either('h', wrong)}, 64){CLOSE};")
    )
    return [f"{g.type} *h = calloc(4, sizeof *h);", f"{g.type} local = 1;", "void *p = &local;", end]


# ------------------------------------------------------------------------------------------------------------- null


def _null(g: Ground) -> list[str]:
    start = g.pick(("0", "NULL", "(void *)0"))
    access = g.pick(("*p", "p[0]", "*(p + 0)"))
    return [f"{g.type} x = 1;", f"{g.type} *p = {g.either('&x', start)};", g.use(access)]


def _null_record(g: Ground) -> list[str]:
    forms = (g.use("p->second"), g.use("p->in[1]"), f"{OPEN}t = *p{CLOSE};", g.use("(*p).second"))
    return [
        f"struct {{ int first; {g.type} second; int in[2]; }} t = {{1}}, *p = {g.either('&t', '0')};",
        g.pick(forms),
    ]


def _null_in_memory(g: Ground) -> list[str]:
    return [
        f"{g.type} x = 2, **pp = calloc(2, sizeof *pp);",
        f"pp[{g.either(1, 0)}] = &x;",
        g.use(g.pick(("**(pp + 1)", "*pp[1]", "pp[1][0]"))),
    ]


def _null_end_of_list(g: Ground) -> list[str]:
    return [
        "struct node { int value; struct node *next; } a = {1, 0}, b = {2, &a}, *p = &b;",
        f"while ({OPEN}p->value{CLOSE} != {g.either(1, 7)}) p = p->next;",
    ]


def _null_library(g: Ground) -> list[str]:
    calls = ("strlen(p)", "memset(p, 1, 1)", "memcmp(p, numbers, 1)", "memcpy(p, numbers, 2)", 'strcpy(p, "ab")')
    return ["char text[4] = {0};", f"char *p = {g.either('text', '0')};", f"{OPEN}{g.pick(calls)}{CLOSE};"]


def _null_call(g: Ground) -> list[str]:
    return [f"int (*call)(int, int) = {g.either('op0', '0')};", f'printf("%d ", {OPEN}call(1, 2){CLOSE});']


# ---------------------------------------------------------------------------------------------------- uninitialised


def _unwritten_element(g: Ground) -> list[str]:
    forms = [f"{g.type} box[3];", f"int n = 3; {g.type} box[n];", f"{g.type} *box = malloc(3 * sizeof *box);"]
    at = g.number(0, 2)
    others = "".join(f"box[{k}] = {k}; " for k in range(3) if k != at)
    written = g.either(f"box[{at}] = 2;", ";")
    return [
        g.pick(forms[: 2 if g.has_bit_fields else 3]),
        f"int at = {at};",
        f"{others}{written}",
        g.read(g.pick(("box[at]", "*(box + at)"))),
    ]


def _unwritten_variable(g: Ground) -> list[str]:
    return [f"{g.type} x, *p = &x;", g.either("*p = 1;", ";"), g.read("*p")]


def _unwritten_field(g: Ground) -> list[str]:
    value = g.pick(("p->second", "t.second"))
    return [
        f"struct {{ int first; {g.type} second; }} s, t, *p = &s, *q = &t;",
        f"p->first = 1;{g.either(' p->second = 2;', '')}",
        g.pick(("*q = *p;", "memcpy(q, p, sizeof t);")),
        g.read(value),
    ]


def _unwritten_text(g: Ground) -> list[str]:
    end = g.either("h[1] = 0;", ";")
    forms = ('{0}printf("%s ", h){1};', "numbers[0] = {0}strlen(h){1};", 'numbers[0] = {0}strcmp(h, "ab"){1} > 0;')
    start = g.pick(("char h[4];", "char h[4];" if g.has_bit_fields else "char *h = malloc(4);"))
    return [start, "h[0] = 'a';", end, g.pick(forms).format(OPEN, CLOSE)]


def _unwritten_growth(g: Ground) -> list[str]:
    """Memory that `realloc` has added."""
    return [
        f"{g.type} *h = calloc(2, sizeof *h);",
        "h = realloc(h, 4 * sizeof *h);",
        "h[2] = 1;",
        g.read(f"h[{g.either(2, 3)}]"),
    ]


# ------------------------------------------------------------------------------------------------- constants, calls


def _constant(g: Ground) -> list[str]:
    changes = ("s[1] = 'x'", "*s = 'x'", "s[2]++", "memset(s, 'x', 2)", 'strcpy(s, "z")', "--*s", "(*(s + 1) ^= 1)")
    return [g.either('char s[] = "abc";', 'char *s = "abc";'), f"{OPEN}{g.pick(changes)}{CLOSE};"]


def _constant_data(g: Ground) -> list[str]:
    const = g.either("", "const ")
    forms = (
        f"static {const}{g.type} data[3] = {{1, 2, 3}};",
        f"static {const}struct {{ {g.type} n[3]; }} data[1] = {{{{{{1, 2}}}}}};",
    )
    return [g.pick(forms), f"{g.type} *p = ({g.type} *)data;", f"{OPEN}p[{g.number(0, 2)}]{CLOSE} = 4;"]


def _wrong_call(g: Ground) -> list[str]:
    wrong = g.pick(
        (
            ("int (*f)(int)", "int (*)(int)", "f(3)"),
            ("double (*f)(int, int)", "double (*)(int, int)", "(int)f(3, 4)"),
            ("int (*f)(int, long)", "int (*)(int, long)", "f(3, 4)"),
            ("int (*f)(void)", "int (*)(void)", "f()"),
            ("void (*f)(int, int)", "void (*)(int, int)", "(f(3, 4), 1)"),
        )
    )
    declared, type, call = wrong
    good = ["int (*f)(int, int) = op0;", f'printf("%d ", {OPEN}f(3, 4){CLOSE});']
    faulty = [f"{declared} = ({type})op0;", f'printf("%d ", {OPEN}{call}{CLOSE});']
    return [g.either(one, other) for one, other in zip(good, faulty, strict=True)]


def _call_of_data(g: Ground) -> list[str]:
    data = g.pick(("numbers", "&x", "words", "malloc(8)"))
    return [
        f"int x = 1; int (*f)(int, int) = {g.either('op1', f'(int (*)(int, int)){data}')};",
        f'printf("%d ", {OPEN}f(x, 1){CLOSE});',
    ]


def _overlap(g: Ground) -> list[str]:
    """A copy between parts of an object, or between an object and itself."""
    word = g.either("ab", "abc")
    forms = (
        f"memcpy(box, box + {g.either('2', '1')}, n * sizeof *box)",
        f"memcpy(box + {g.either('1', '2')}, box + 1, (n + 1) * sizeof *box)",
        f'strcpy(memcpy(text, "{word}", {len(word) + 1}) + 3, text)',
        f'strcat(memcpy(text, "{word}", {len(word) + 1}), text + {g.either(4, 2)})',
    )
    return [f"char text[9] = {{0}}; {g.type} box[5] = {{1}}; int n = 2;", f"{OPEN}{g.pick(forms)}{CLOSE};"]


FAULTS: dict[str, tuple[Callable[[Ground], list[str]], ...]] = {
    "bounds": (
        *(_element, _element, _element, _moved_pointer, _moved_pointer, _loop, _nested, _nested, _in_records),
        *(_record_beyond, _text, _union_bytes, _library, _library, _in_callee),
    ),
    "lifetime": (_scope, _iteration, _freed, _freed, _freed_node, _returned, _in_record),
    "double free": (_double_free, _double_free_in_callee),
    "free": (_not_the_start,),
    "null": (_null, _null_record, _null_in_memory, _null_end_of_list, _null_library, _null_call),
    "uninitialised": (
        *(_unwritten_element, _unwritten_variable, _unwritten_field, _unwritten_text, _unwritten_growth),
    ),
    "constant": (_constant, _constant_data),
    "call": (_wrong_call, _call_of_data),
    "overlap": (_overlap,),
}
"""The blocks of each kind of fault."""

KINDS = tuple(FAULTS)


@dataclass(frozen=True)
class Planted:
    """A program with a fault, the same one without it, and the place of the marked access."""

    kind: str
    sound: str
    faulty: str

    @property
    def place(self) -> tuple[int, range]:
        """The line and the columns of the access, both from 1."""
        before, access, _ = re.split(f"{re.escape(OPEN)}|{re.escape(CLOSE)}", self.faulty)
        column = len(before) - before.rfind("\n") + len(OPEN)
        return before.count("\n") + 1, range(column, column + len(access))


SMALL = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
union punned { int i; unsigned char bytes[4]; };
static int numbers[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static int op0(int a, int b) { return a + b; }
static int op1(int a, int b) { return a - b; }
static const char *const words[3] = {"", "a", "be"};
static int (*const operations[])(int, int) = {op0, op1};

int main(void) {
    return 0;
}
"""
"""A program that has what blocks use."""


def planted(number: int, text: str | None = None) -> Planted:
    """The program with a block of that number, with and without its fault: `text`, or a generated program."""
    text = text or random_program(number, memory=True)
    return Planted(KINDS[number % len(KINDS)], _with_block(text, number, False), _with_block(text, number, True))


def _with_block(text: str, number: int, faulty: bool) -> str:
    """The program with a block at a place where a statement may be, mostly in `main`."""
    choose = Rolled(random.Random(f"fault {number}"))
    ground = Ground(choose, faulty, re.search(r" : \d+;", text) is not None)
    block = choose.pick(FAULTS[KINDS[number % len(KINDS)]])(ground)
    lines = text.splitlines()
    at = choose.pick(_places(lines, only_main=choose.number(0, 2) > 0))
    lines[at:at] = ["    {", f'        puts("{REACHED}");', *(f"        {line}" for line in block), "    }"]
    end = next(k for k, line in enumerate(lines) if line.startswith("static int (*const operations"))
    lines[end + 1 : end + 1] = ground.outside
    return "\n".join(lines) + "\n"


def _places(lines: list[str], only_main: bool) -> list[int]:
    """The lines before which a statement may be, at the top level of functions."""
    main = lines.index("int main(void) {")
    functions = (k for k, line in enumerate(lines) if re.match(r"\w[\w ]* f\d\(.*\{$", line))
    start = main if only_main else next(functions, main)
    return [k for k in range(start, len(lines)) if re.match(r"    \w", lines[k])]
