"""The typed tree of C programs with memory: places, pointers, conversions, initialisers, and their errors."""

from __future__ import annotations

from typing import Any

import pytest

from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.constants import constant_value
from cpsconv.languages.c.syntax import tree as c
from testing.effort import size
from tests.c_typed_trees import declared, text, unit
from tests.tables import table

PROGRAMS = table("c_typed_memory")
"""The longer programs of these tests."""

DECLARATIONS = "\n" + PROGRAMS["DECLARATIONS"]

FUNCTION = """
void f(int i, char c, long l, double d, _Bool b, int *p, const int *cp, char *s, void *v, int **pp, struct point *q,
       struct tree *t, int (*op)(int, int), const struct point *cq, struct bits *w, int (*rows)[4]) {
    int a[5], m[3][4]; struct point r; union number u; struct tree node;
"""


def statement(source: str, declarations: str = DECLARATIONS) -> tuple[Any, t.Unit]:
    result = unit(f"{declarations}{FUNCTION} {source}; }}")
    return result.functions[-1].body[-1], result


EXPRESSIONS = {
    "*p": "*p",
    "*p = 1": "(*p = 1)",
    "p[i]": "p[i]",
    "i[p]": "p[i]",
    "a[i] = c": "(a[i] = int(c))",
    "*a": "a[0]",
    "*(a + 2)": "a[2]",
    "m[i][c] = 1": "(m[i][c] = 1)",
    "rows[1][2]": "rows[1][2]",
    "*m[2]": "m[2][0]",
    "&a[3]": "&a[3]",
    "&a": "&a",
    "a + 1": "(decay a + 1):int *",
    "1 + p": "(p + 1):int *",
    "p - l": "(p - l):int *",
    "p - cp": "(p - cp):long",
    "v + 1": "(v + 1):void *",
    "m + 1": "(decay m + 1):int (*)[4]",
    "p += i": "(p := (old + i):int *)",
    "p++": "(p postfix := (old + 1):int *)",
    "*p++ = 3": "(*(p postfix := (old + 1):int *) = 3)",
    "++*p": "(*p := (old + 1))",
    "s[0]++": "(s[0] postfix := char((int(old) + 1)))",
    "r.x": "r.x",
    "r.y = c": "(r.y = int(c))",
    "q->x += 2": "(*q.x := (old + 2))",
    "(&r)->x": "r.x",
    "*&i": "i",
    "&*p": "p",
    "(*q).x": "*q.x",
    "t->left->at.x": "**t.left.at.x",
    "t->name": "decay *t.name",
    "t->name[1]": "*t.name[1]",
    "t->key": "*t.None.key",
    "node.ratio = 1": "(node.None.ratio = float(1))",
    "u.d": "u.d",
    "r = *q": "(r = *q)",
    "*q = origin()": "(*q = origin())",
    "origin().x": "temporary(origin()).x",
    "(i ? r : *q).y": "temporary((bool(i) ? r : *q):struct point).y",
    "w->low": "int(*w.low)",
    "w->wide": "*w.wide",
    "w->high + 1": "(*w.high + 1)",
    "w->low++": "(*w.low postfix := unsigned((int(old) + 1)))",
    "g": "g",
    "table[g]": "table[g]",
    "p == 0": "(p == null)",
    "0 != p": "(null != p)",
    "v == p": "(v == void *(p))",
    "p < cp": "(p < int *(cp))",
    "!p": "(!p)",
    "p && i": "(bool(p) && bool(i))",
    "b = p": "(b = bool(p))",
    "v = p": "(v = void *(p))",
    "p = v": "(p = int *(v))",
    "cp = p": "(cp = const int *(p))",
    "p = 0": "(p = null)",
    "p = (void *)0": "(p = null)",
    "(char *)p": "cast char *(p)",
    "(long)p": "cast long(p)",
    "(int *)l": "cast int *(l)",
    "(void)p": "cast void(p)",
    "i ? p : 0": "(bool(i) ? p : null):int *",
    "i ? p : cp": "(bool(i) ? const int *(p) : cp):const int *",
    "i ? p : v": "(bool(i) ? void *(p) : v):void *",
    "i ?: c": "(i ?: int(c)):int",
    "p ?: a": "(p ?: decay a):int *",
    "add(c, l)": "add(int(c), int(l))",
    "op(1, 2)": "(*op)(1, 2)",
    "(*op)(1, 2)": "(*op)(1, 2)",
    "(&add)(1, 2)": "add(1, 2)",
    "op = add": "(op = &add)",
    "op = &add": "(op = &add)",
    "sum(1, c, 1.5f, p)": "sum(1, variable cast int(c), variable cast double(1.5:float), variable p)",
    "sizeof a": "20:unsigned long",
    "sizeof m[0]": "16:unsigned long",
    "sizeof *q": "8:unsigned long",
    "sizeof(struct tree)": "40:unsigned long",
    "sizeof(int (*)[3])": "8:unsigned long",
    'sizeof "abc"': "4:unsigned long",
    "sizeof(char[3])": "3:unsigned long",
    "_Alignof(double)": "8:unsigned long",
    's = "text"': "(s = decay 'text')",
    '"text"[1]': "'text'[1]",
    "_Generic(p, char *: 1, int *: 2, default: 3)": "2",
    "_Generic(a, int *: 1, default: 3)": "1",
    "_Generic(i < 1, int: 1, default: 3)": "1",
    "_Generic(d, default: add)(1, 2)": "add(1, 2)",
    "__builtin_types_compatible_p(int[], int[5])": "1",
    "__builtin_offsetof(struct tree, at.y)": "20:unsigned long",
    "__builtin_offsetof(struct tree, name[3])": "27:unsigned long",
    "__builtin_expect(i, 1)": "long(i)",
    "__builtin_constant_p(3)": "1",
    "__builtin_constant_p(i)": "0",
    "(struct point){1, 2}.x": "literal(struct point literal.x=1 literal.y=2).x",
    "p = (int[]){1, 2}": "(p = decay literal(int[2] literal[0]=1 literal[1]=2))",
    "__func__": "decay 'f'",
}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_places_and_conversions_of_pointers_are_explicit(expression: str) -> None:
    found, result = statement(expression)
    assert not result.errors
    assert isinstance(found, c.ExpressionStatement) and found.expression
    assert text(found.expression) == EXPRESSIONS[expression]


INITIALISERS = {
    "int x[3] = {1, 2, 3}": "int[3] x[0]=1 x[1]=2 x[2]=3",
    "int x[3] = {1}": "int[3] x[0]=1 0",
    "int x[] = {1, 2}": "int[2] x[0]=1 x[1]=2",
    "int x[] = {[3] = 1, 2, [0] = 5}": "int[5] x[3]=1 x[4]=2 x[0]=5 0",
    "int x[] = {[1 ... 3] = 7}": "int[4] x[1]=7 x[2]=7 x[3]=7 0",
    "int x[2][2] = {1, 2, 3, 4}": "int[2][2] x[0][0]=1 x[0][1]=2 x[1][0]=3 x[1][1]=4",
    "int x[2][2] = {{1}, {3, 4}}": "int[2][2] x[0][0]=1 x[1][0]=3 x[1][1]=4 0",
    "int x[][2] = {1, 2, 3}": "int[2][2] x[0][0]=1 x[0][1]=2 x[1][0]=3 0",
    "int x[][2] = {{1, 2}, [3][1] = 9}": "int[4][2] x[0][0]=1 x[0][1]=2 x[3][1]=9 0",
    'char x[] = "ab"': "char[3] x='ab'",
    'char x[] = {"ab"}': "char[3] x='ab'",
    'char x[2] = "ab"': "char[2] x='ab'",
    'char x[8] = "ab"': "char[8] x='ab'",
    'char x[2][3] = {"ab", "c"}': "char[2][3] x[0]='ab' x[1]='c'",
    'unsigned char x[] = u8"é"': "unsigned char[3] x='Ã©'",
    "char x[] = {'a', 'b'}": "char[2] x[0]=char(97) x[1]=char(98)",
    "struct point x = {1, 2}": "struct point x.x=1 x.y=2",
    "struct point x = {.y = 2}": "struct point x.y=2 0",
    "struct point x = r": "struct point = r",
    "struct point x = origin()": "struct point = origin()",
    "struct point x[2] = {1, 2, r}": "struct point[2] x[0].x=1 x[0].y=2 x[1]=r",
    "struct point x[] = {{1, 2}, {.y = 3}, [4].x = 5, 6}": (
        "struct point[5] x[0].x=1 x[0].y=2 x[1].y=3 x[4].x=5 x[4].y=6 0"
    ),
    "struct tree x = {.at = {1}, .key = 3}": "struct tree x.at.x=1 x.None.key=long(3) 0",
    'struct tree x = {0, 0, 1, 2, "abc", 5}': (
        "struct tree x.left=null x.right=null x.at.x=1 x.at.y=2 x.name='abc' x.None.key=long(5)"
    ),
    'struct tree x = {.at.y = 1, "n"}': "struct tree x.at.y=1 x.name='n' 0",
    "union number x = {1}": "union number x.i=1 0",
    "union number x = {.d = 1}": "union number x.d=double(1) 0",
    "struct bits x = {1, 2, 3}": "struct bits x.low=unsigned(1) x.high=2 x.wide=unsigned(3)",
    "struct point x[2] = {{.x = 1}, {2, 3}, [0] = {.y = 4}, [1].y = 5}": (
        "struct point[2] x[1].x=2 x[0].y=4 x[1].y=5 0"
    ),
    "struct point x[2] = {[0].x = 1, [0] = r, [0].y = 2}": "struct point[2] x[0]=r x[0].y=2 0",
    "int x[2][2] = {[1] = {7, 8}, [1] = {[0] = 9}}": "int[2][2] x[1][0]=9 0",
    "union number x = {.i = 1, .d = 2}": "union number x.d=double(2) 0",
    "struct around x = {1, {}, 2}": "struct around x.a=1 x.b=2",
    "struct around x = {1, 2}": "struct around x.a=1 0",
    "int *x[] = {&i, a, 0}": "int *[3] x[0]=&i x[1]=decay a x[2]=null",
    "int x = {3}": "int = 3",
    "int (*x[])(int, int) = {add, &add}": "int (*[2])(int, int) x[0]=&add x[1]=&add",
    "struct point x[4] = {[0 ... 1] = {i, 2}}": "struct point[4] x[0].x=i x[1].x=x[0].x x[0].y=2 x[1].y=2 0",
}


@pytest.mark.parametrize("declaration", INITIALISERS)
def test_initialisers_become_the_parts_that_they_initialise(declaration: str) -> None:
    found, result = statement(declaration)
    assert not result.errors
    assert isinstance(found, c.Declaration)
    [part] = found.parts
    assert isinstance(part, t.Declare)
    assert declared(part) == INITIALISERS[declaration]


CONSTANTS = {
    "int x = 3 * 4 + sizeof(int);": [16],
    "double x = 1.0 / 3;": [1 / 3],
    "float x = 0.1;": [0.10000000149011612],
    "_Bool x = 0.5;": [True],
    "int *x = &g;": ["g+0"],
    "int *x = table + 3;": ["table+12"],
    "int *x = &table[9] - 2;": ["table+28"],
    "int *x = 0;": ["0"],
    'char *x = "text" + 1;': ["'text'+1"],
    'char x[] = "text";': ["'text'"],
    "int (*x)(int, int) = add;": ["add+0"],
    "long x = (long)&g + 4;": ["g+4"],
    "struct point y; int *x = &y.y;": ["y+4"],
    "struct tree y[3]; char *x = y[2].name;": ["y+104"],
    "int x = 1 ? 2 : 1 / 0;": [2],
    "int x = &g == 0;": [False],
    "int x = -1 < 1u;": [False],
    "unsigned char x = 300;": [44],
    "long x = __builtin_offsetof(struct tree, right);": [8],
    "const int y = 5; int x = y * 2;": [10],
    "void *x = (void *)16;": ["16"],
    "struct point *x = &(struct point){1, 2};": ["literal+0"],
    "long x = &table[5] - &table[2];": [3],
}
"""Declarations of `x`, with its initial values: numbers, and addresses as `VARIABLE+BYTES`."""


@pytest.mark.parametrize("declaration", CONSTANTS)
def test_initial_values_of_globals_are_numbers_and_addresses(declaration: str) -> None:
    result = unit(f"{DECLARATIONS}{declaration}")
    assert not result.errors
    [variable] = [each for each in result.globals if each.name == "x"]
    found = [
        each.value if isinstance(each.value, c.StringLiteral) else constant_value(each.value)
        for each in variable.initial or []
    ]
    assert [symbolic(value) for value in found] == CONSTANTS[declaration]


def symbolic(value: Any) -> Any:
    if isinstance(value, c.StringLiteral):
        return repr(value.text)
    if not isinstance(value, tuple):
        return value
    symbol, offset = value
    shown = repr(symbol.text) if isinstance(symbol, c.StringLiteral) else symbol.name if symbol else ""
    return f"{shown}+{offset}" if symbol else str(offset)


def test_a_hundred_thousand_initial_values_are_typed_in_linear_time() -> None:
    count = size(100_000)
    values = ",".join(["1,2"] * (count // 2))
    result = unit(f"int x[] = {{{values}}}; struct point {{ int x, y; }} y[] = {{{values}}};")
    assert [each.type.length for each in result.globals] == [count, count // 2]  # type: ignore[attr-defined]


def test_deeply_nested_expressions_and_initialisers_are_typed() -> None:
    depth = 10_000
    pointers = f"int g; int f(int *p) {{ return {'*&' * depth}*p; }}"
    braces = f"int x = {'{' * depth}1{'}' * depth};"
    assert not unit(pointers).errors and not unit(braces).errors


ESCAPES = {
    "a[i] = a[1] + *a + *(a + i)": {},
    "r.x = (&r)->y": {},
    "i = sizeof(&i)": {},
    "*&i = 3": {},
    "p = &i": {"i": "&i"},
    "p = a": {"a": "a"},
    "p = &r.x": {"r": "&r.x"},
    "p = m[1]": {"m": "m[1]"},
    "p = &m[1][2]": {"m": "&m[1][2]"},
    "a[add(*a, (p = a, 1))] = 0": {"a": "a"},
    "q = &r; q = &r": {"r": "&r"},
    "t = t->left": {},
    "v = (&node)->name": {"node": "(&node)->name"},
}
"""Statements, with the variables whose address each takes, and the expression that takes it."""


@pytest.mark.parametrize("source", ESCAPES)
def test_a_variable_is_in_memory_if_a_pointer_to_it_becomes_a_value(source: str) -> None:
    _, result = statement(source)
    locals = {
        each.variable
        for item in result.functions[-1].body
        if isinstance(item, c.Declaration)
        for each in item.parts
        if isinstance(each, t.Declare)
    }
    taken = [each for each in [*locals, *result.functions[-1].parameters] if each.address_taken]
    spans = {each.name: each.address_taken for each in taken}
    assert {name: span.source.text[span.start : span.end] for name, span in spans.items() if span} == ESCAPES[source]
