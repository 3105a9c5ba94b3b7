"""The typed tree of C: each conversion is a node, each name has its declaration."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import pytest
from hypothesis import given

from cpsconv.core.source import Source, Span
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.context import PLACES, VALUES, Typing, text_of
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import DOUBLE, INT, LONG, UNKNOWN, CType, qualified
from testing.c_programs import c_programs, random_program
from testing.expectations import CORPUS, EXAMPLES
from tests.c_typed_invariants import check, fields, nodes
from tests.c_typed_trees import text, unit

PROGRAMS = [*EXAMPLES, *CORPUS]
NOWHERE = Span(Source("", ""), 0, 0)

DECLARATIONS = """#include <stdio.h>
int f(long x, char c) { return x + c; }
void g(_Bool b, char c, unsigned char uc, short s, int i, unsigned u, long l, float r, double d) {"""


EXPRESSIONS = {
    "c + s": "(int(c) + int(s))",
    "i + u": "(unsigned(i) + u)",
    "l << c": "(l << int(c))",
    "c << l": "(int(c) << l)",
    "i + r * d": "(double(i) + (double(r) * d))",
    "i < l": "(long(i) < l)",
    "(i < 1) + 1": "(int((i < 1)) + 1)",
    "c = s = 300": "(c = char((s = short(300))))",
    "b = i < u": "(b = (unsigned(i) < u))",
    "b = i": "(b = bool(i))",
    "c += 1.5": "(c := char((double(old) + 1.5:double)))",
    "uc++": "(uc postfix := unsigned char((int(old) + 1)))",
    "--b": "(b := bool((int(old) - 1)))",
    "s <<= l": "(s := short((int(old) << l)))",
    "!d": "(!d)",
    "-c": "(-int(c))",
    "-1u": "4294967295:unsigned",
    "+c": "(+int(c))",
    "~(i < 1)": "(~int((i < 1)))",
    "i && d": "(bool(i) && bool(d))",
    "!i || !(l && 2)": "((!bool(i)) || (!(bool(l) && bool(2))))",
    "i ? c : l": "(bool(i) ? long(c) : l):long",
    "(i < 1) ? u : -1": "((i < 1) ? u : unsigned(-1)):unsigned",
    "i ? c : (i, s)": "(bool(i) ? int(c) : int((i, s))):int",
    "(char)i": "cast char(i)",
    "(void)i": "cast void(i)",
    "(int)i": "cast int(i)",
    "f(i, i)": "f(long(i), char(i))",
    "l = f(c, c)": "(l = long(f(long(c), c)))",
    "sizeof(i < 1)": "4:unsigned long",
    "sizeof (i, c)": "1:unsigned long",
    'sizeof "abc"': "4:unsigned long",
    "sizeof (c + c)": "4:unsigned long",
    'printf("%d%f", c, r)': "printf(decay '%d%f', cast int(c), cast double(r))",
    'puts("x")': "puts(const char *(decay 'x'))",
    'printf("%u", i)': "printf(decay '%u', unsigned(i))",
    "i + none": "erroneous(i, erroneous())",
    "i + (1.5 % 2)": "erroneous(i, erroneous(1.5:double, 2))",
}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_conversions_are_explicit(expression: str) -> None:
    statement = unit(f"{DECLARATIONS} {expression}; }}").functions[-1].body[0]
    assert isinstance(statement, c.ExpressionStatement) and statement.expression
    assert text(statement.expression) == EXPRESSIONS[expression]


def test_names_denote_the_visible_declaration() -> None:
    outer = unit("void f(int x) { { x; long x = 1; x; } x; }").functions[0]
    assert isinstance(outer.body[0], c.Compound)
    reads = [
        statement.expression
        for statement in [*outer.body[0].items, *outer.body]
        if type(statement) is c.ExpressionStatement
    ]
    assert [(str(read.operand.type), str(read.type)) for read in reads if isinstance(read, c.Read)] == [
        ("int", "int"),
        ("long", "long"),
        ("int", "int"),
    ]


class Corpus(NamedTuple):
    """The nodes of the typed trees of all programs, each with the type of its function's result.

    `typed` has, for `VALUES` and `PLACES`, how often each expression of the source was typed by a rule of the table.
    """

    nodes: list[tuple[CType, Any]]
    typed: list[Counter[c.Expression]]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    typed: list[Counter[c.Expression]] = [Counter(), Counter()]  # nodes are compared by identity

    def counted(rule: Any, counter: Counter[c.Expression]) -> Any:
        def apply(typing: Typing, node: c.Expression) -> Any:
            counter[node] += 1
            return rule(typing, node)

        return apply

    with pytest.MonkeyPatch.context() as patched:
        for table, counter in zip((VALUES, PLACES), typed, strict=True):
            for kind in {*table} - {c.Literal, c.StringLiteral, c.Name}:
                patched.setitem(table, kind, counted(table[kind], counter))
        units = [unit(path.read_text(encoding="utf-8")) for path in PROGRAMS]
    return Corpus([each for one in units for each in nodes(one)], typed)


def test_every_program_has_a_typed_tree_with_the_stated_invariants(corpus: Corpus) -> None:
    for result, node in corpus.nodes:
        check(node, result)


@given(c_programs())
def test_every_generated_program_has_a_typed_tree_with_the_stated_invariants(program: str) -> None:
    for result, node in nodes(unit(program)):
        check(node, result)


@pytest.mark.parametrize("seed", range(10))
def test_every_generated_program_with_memory_has_a_typed_tree_with_the_stated_invariants(seed: int) -> None:
    for result, node in nodes(unit(random_program(seed, memory=True))):
        check(node, result)


def kinds(base: type) -> set[type]:
    """A class of nodes, and those derived from it."""
    return {base}.union(*map(kinds, base.__subclasses__()))


REPLACED = {c.SizeOf, c.AlignOf, c.OffsetOf, c.TypesCompatible, c.Generic, c.VaArg, c.ConvertVector}


def test_the_invariants_are_checked_for_nodes_of_all_classes(corpus: Corpus) -> None:
    found = Counter(type(node) for _, node in corpus.nodes)
    known = kinds(c.Expression) | kinds(c.Statement) | {t.Declare, t.Part}
    assert {*found} == known - {c.Expression, c.Implicit, c.Update, c.Statement, c.Erroneous} - REPLACED
    frequent = [c.Name, c.Read, c.Binary, c.Convert, c.Decay, c.CallExpression, c.Subscript, c.Member, c.Assign]
    assert all(found[kind] > 500 for kind in [*frequent, c.ExpressionStatement, c.Declaration, c.Return, t.Part])


CONVERTED: dict[type, tuple[str, ...]] = {
    **dict.fromkeys([c.Binary, c.Logical], ("left", "right")),
    c.Conditional: ("condition", "then", "otherwise"),
    c.Assign: ("value", "new"),
    c.Increment: ("new",),
    c.Return: ("value",),
    t.Declare: ("initial",),
    t.Part: ("value",),
    **dict.fromkeys([c.If, c.While, c.Do, c.For], ("condition",)),
}
"""The fields whose values have the types that the node or its other operands determine."""


def test_an_omitted_conversion_violates_the_invariants(corpus: Corpus) -> None:
    omitted: Counter[type] = Counter()
    for result, node in corpus.nodes:
        for name, parts in fields(node):
            for part in parts:
                kind = type(part)
                if kind in (c.Read, c.Decay) or (kind is c.Convert and name in CONVERTED.get(type(node), ())):
                    omitted[kind] += 1
                    check_omission(node, result, name, part)
    assert all(omitted[kind] > 500 for kind in (c.Read, c.Decay, c.Convert))


def check_omission(node: Any, result: CType, field: str, part: Any) -> None:
    """Check that the operand of a conversion in a field of a node violates an invariant in its place."""
    given = getattr(node, field)
    setattr(node, field, part.operand if given is part else [part.operand if each is part else each for each in given])
    with pytest.raises(AssertionError):
        check(node, result)
    setattr(node, field, given)


FAULTS = {
    "int f(int i, long l) { return i < l; }": (c.Binary, "type", INT),
    "int f(int i, int j) { return i + j; }": (c.Binary, "type", LONG),
    "int f(int *p, int *q) { return q - p; }": (c.Binary, "type", INT),
    "int f(const int x) { return x; }": (c.Read, "type", qualified(INT, ["const"])),
    "int f(int i) { return !i; }": (c.Unary, "type", INT),
    "long f(int i) { return f(i); }": (c.CallExpression, "arguments", []),
    "int f(long x, ...) { return f(1, 2); }": (c.CallExpression, "type", LONG),
    "int f(int i) { return ({ i; }); }": (c.StatementExpression, "type", LONG),
    "void f(int *p) { p[1] = 2; }": (c.Subscript, "type", LONG),
    "void f(int i) { switch (i) { } }": (c.Switch, "value", c.Missing(NOWHERE, DOUBLE, "")),
    "void f(int i) { i = 1; }": (c.Assign, "type", UNKNOWN),
    "int f(int i) { return -i; }": (c.Unary, "operand", c.Erroneous(NOWHERE)),
}


@pytest.mark.parametrize("program", FAULTS)
def test_a_wrong_type_violates_the_invariants(program: str) -> None:
    kind, field, wrong = FAULTS[program]
    tree = unit(program)
    [node] = [node for _, node in nodes(tree) if type(node) is kind]
    setattr(node, field, wrong)
    with pytest.raises(AssertionError):
        for result, each in nodes(tree):
            check(each, result)


def test_the_object_for_a_variable_argument_is_passed_as_the_parameter_requires() -> None:
    """The function that copies a struct from the registers takes a ``void *``."""
    program = """#include <stdarg.h>
    struct pair { double x, y; };
    double f(int n, ...) { va_list list; va_start(list, n); return va_arg(list, struct pair).x; }"""
    [call] = [
        node
        for _, node in nodes(unit(program))
        if isinstance(node, c.CallExpression) and node.function and node.function.name == "__va_struct"
    ]
    assert [str(argument.type) for argument in call.arguments[1:3]] == ["void *", "unsigned long"]


def test_no_expression_is_typed_twice(corpus: Corpus) -> None:
    assert all(corpus.typed)
    assert [text_of(node) for counter in corpus.typed for node, count in counter.items() if count > 1] == []
