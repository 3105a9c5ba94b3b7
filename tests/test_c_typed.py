"""The typed tree of C: each conversion is a node, each name has its declaration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from cpsconv.core.operations.table import OPERATIONS
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.context import PLACES, VALUES, Typing, text_of
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import BOOL, TRUTH, UNKNOWN, VOID, CType
from testing.c_programs import c_programs
from testing.expectations import CORPUS, EXAMPLES
from tests.c_typed_trees import text, unit

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
    assert [(read.operand.type.name, read.type.name) for read in reads if isinstance(read, c.Read)] == [
        ("int", "int"),
        ("long", "long"),
        ("int", "int"),
    ]


def parts(node: Any) -> Iterator[Any]:
    """The nodes in a function, or in another object of the tree, itself included."""
    pending = [node]
    for each in pending:  # appended to during iteration
        yield each
        if isinstance(each, (t.Local, t.Global, c.Name, c.LabelAddress, CType)):
            continue
        for field in () if isinstance(each, (c.Goto, c.Switch)) else getattr(each, "fields", ()):
            value = getattr(each, field)
            if field not in ("follows", "before", "after", "callee"):
                pending += value if isinstance(value, (list, tuple)) else [value]
        if isinstance(each, c.Switch):
            pending += [each.value, each.body]


def converts_to(given: CType, wanted: CType) -> bool:
    return given is wanted or (given is TRUTH and wanted is BOOL)


def check(function: t.Function) -> None:
    """Check the invariants of the typed tree of a function without errors."""
    for node in parts(function):
        assert not isinstance(node, c.Expression) or node.type is not UNKNOWN
        match node:
            case c.Logical():
                assert {node.left.type, node.right.type} <= {BOOL, TRUTH} and node.type is TRUTH
            case c.Binary() if OPERATIONS[node.op].kind == "comparison":
                assert node.left.type is node.right.type and node.type is TRUTH
            case c.Binary():
                assert node.left.type is node.type
                assert node.right.type is node.type or OPERATIONS[node.op].kind == "shift"
            case c.Unary(op="!"):
                assert node.type is TRUTH
            case c.Unary():
                assert node.operand.type is node.type
            case c.Conditional(then=c.Expression()):
                assert node.condition.type in (BOOL, TRUTH)
                if node.type not in (TRUTH, VOID):
                    assert node.then.type is node.otherwise.type is node.type
            case c.Assign(new=None):
                assert converts_to(node.value.type, node.target.type)
            case c.Update():
                assert converts_to(node.new.type, node.target.type)
            case c.CallExpression(operation=None):
                type: Any = node.function or node.callee.type
                type = type.type if node.function else type.target
                for argument, parameter in zip(node.arguments, type.parameters, strict=type.prototyped):
                    assert converts_to(argument.type, parameter)
            case t.Declare() if node.initial:
                assert converts_to(node.initial.type, node.variable.type.unqualified)
            case c.Return() if node.value and function.result is not VOID:
                assert converts_to(node.value.type, function.result)
            case c.If() | c.While():
                assert node.condition.type in (BOOL, TRUTH)


@pytest.mark.parametrize("path", [*EXAMPLES, *CORPUS], ids=lambda path: path.name)
def test_every_program_has_a_typed_tree_with_the_stated_invariants(path: Any) -> None:
    for function in unit(path.read_text(encoding="utf-8")).functions:
        check(function)


@given(c_programs())
def test_every_generated_program_has_a_typed_tree_with_the_stated_invariants(program: str) -> None:
    for function in unit(program).functions:
        check(function)


@pytest.mark.parametrize("table", [VALUES, PLACES], ids=["values", "places"])
def test_no_expression_is_typed_twice(table: dict[type, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    typed: dict[c.Expression, int] = {}  # nodes are compared by identity

    def counted(rule: Any) -> Any:
        def apply(typing: Typing, node: c.Expression) -> Any:
            typed[node] = typed.get(node, 0) + 1
            return rule(typing, node)

        return apply

    for kind in {*table} - {c.Literal, c.StringLiteral, c.Name}:
        monkeypatch.setitem(table, kind, counted(table[kind]))
    for path in [*EXAMPLES, *CORPUS]:
        unit(path.read_text(encoding="utf-8"))
    assert typed
    assert [text_of(node) for node, count in typed.items() if count > 1] == []
