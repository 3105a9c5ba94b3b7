"""Printing and parsing preserve every program, in every layout and width, and take linear time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv.ir import (
    BOOL,
    INT,
    Branch,
    Call,
    Constant,
    Continuation,
    ContinuationType,
    Edge,
    Effect,
    Function,
    Jump,
    Parameter,
    Primitive,
    Program,
    Switch,
    Value,
)
from cpsconv.source import Diagnostic, Source
from cpsconv.text import parse, pretty
from cpsconv.text.printer import Layout
from tests.counting import growth, lines_executed
from tests.effort import examples, size
from tests.ir_programs import programs
from tests.isomorphism import same_program

MANY = size(10_000)

layouts = st.sampled_from(["nested", "flat"])


@settings(max_examples=examples(150))
@given(programs(), layouts, st.booleans(), st.sampled_from([20, 30, 40, 60, 80, 200]))
def test_printed_text_parses_to_the_same_program_and_prints_the_same_text(
    program: Program, layout: Layout, ascii: bool, width: int
) -> None:
    text = pretty(program, layout=layout, ascii=ascii, width=width)
    warnings: list[Diagnostic] = []
    again = parse(Source("text", text), warnings)
    assert same_program(program, again)
    assert pretty(again, layout=layout, ascii=ascii, width=width) == text
    assert not warnings


@settings(max_examples=examples(50))
@given(programs())
def test_all_forms_of_a_program_parse_to_the_same_program(program: Program) -> None:
    nested = parse(Source("nested", pretty(program)))
    flat = parse(Source("flat", pretty(program, layout="flat", ascii=True)))
    assert same_program(nested, flat)
    assert pretty(parse(Source("again", pretty(nested, layout="flat"))), layout="flat") == pretty(nested, layout="flat")


@settings(max_examples=examples(50))
@given(programs())
def test_in_ascii_only_symbols_are_different(program: Program) -> None:
    text = pretty(program, width=1000)
    for symbol, replacement in {"→": "->", "⊥": "_|_", "λ": "\\", "⇒": "=>"}.items():
        text = text.replace(symbol, replacement)
    ascii = pretty(program, width=1000, ascii=True)
    assert ascii == text and ascii.isascii()


def test_values_without_a_shown_name_take_no_name() -> None:
    text = 'f(ret : () → ⊥) → ⊥ {\n  puts("");\n  let\n    v := () → ⊥\n      ret()\n  in\n  f(v)\n}\n'
    assert pretty(parse(Source("text", text)), layout="flat") == text


# ----------------------------------------------------------------------------------------------------------- sizes


def returning() -> tuple[Function, Parameter, Parameter]:
    """An empty function, its parameter, and its return continuation."""
    x, ret = Parameter(INT, "x"), Parameter(ContinuationType((INT,)), "ret")
    return Function("f", [x, ret]), x, ret


def ifs(size: int) -> Program:
    function, x, ret = returning()
    member: Continuation = function
    for number in range(size // 2):
        following = Continuation("next", [Parameter(INT, "x")])
        then = Continuation("then", transfer=Jump(Edge(following, [Constant(INT, number)])))
        test = Primitive("==", (x, Constant(INT, 0)), BOOL)
        member.body.append(test)
        member.transfer = Branch(test, Edge(then), Edge(following, [x]))
        function.continuations += [then, following]
        member, x = following, following.parameters[0]
    member.transfer = Jump(Edge(ret, [x]))
    return Program([function])


def calls(size: int) -> Program:
    function, x, ret = returning()
    member: Continuation = function
    for _ in range(size):
        following = Continuation("k", [Parameter(INT, "a")])
        member.transfer = Call(function, [x], Edge(following))
        function.continuations.append(following)
        member, x = following, following.parameters[0]
    member.transfer = Jump(Edge(ret, [x]))
    return Program([function])


def nesting(size: int) -> Program:
    function, x, ret = returning()
    member: Continuation = function
    for _ in range(size):
        following = Continuation("k")
        member.transfer = Jump(Edge(following))
        function.continuations.append(following)
        member = following
    member.transfer = Jump(Edge(ret, [x]))
    return Program([function])


def sums(size: int) -> Program:
    function, x, ret = returning()
    total: Value = x
    for number in range(size):
        operands = (total, Constant(INT, number)) if number % 2 else (Constant(INT, number), total)
        total = Primitive("+", operands, INT)
        function.body.append(total)
    function.transfer = Jump(Edge(ret, [total]))
    return Program([function])


def effects(size: int) -> Program:
    function, x, ret = returning()
    for _ in range(size):
        function.body.append(Effect("putchar", (x,), INT, "written"))
    function.transfer = Jump(Edge(ret, [function.body[0]]))
    return Program([function])


def switch(size: int) -> Program:
    function, x, ret = returning()
    for number in range(size):
        function.continuations.append(Continuation("case", transfer=Jump(Edge(ret, [Constant(INT, number)]))))
    targets = [Edge(member) for member in function.continuations]
    targets[::2] = [Edge(ret, [x]) for _ in targets[::2]]
    del function.continuations[::2]
    function.transfer = Switch(x, list(range(size)), targets, Edge(ret, [x]))
    return Program([function])


def parameters(size: int) -> Program:
    function, x, ret = returning()
    member = Continuation("k", [Parameter(INT, "y") for _ in range(size)])
    member.transfer = Jump(Edge(ret, [member.parameters[-1]]))
    function.continuations = [member]
    function.transfer = Jump(Edge(member, [x] * size))
    return Program([function])


def functions(size: int) -> Program:
    program = Program([])
    for number in range(size):
        function, x, ret = returning()
        function.name = f"f{number}"
        function.transfer = Jump(Edge(ret, [x]))
        program.functions.append(function)
    return program


@pytest.mark.parametrize(
    ("make", "layout", "count"),
    [
        (ifs, "nested", size(20_000)),
        (calls, "nested", size(20_000)),
        (nesting, "nested", size(20_000)),
        (ifs, "flat", size(4_000)),
        (calls, "flat", size(4_000)),
    ],
)
def test_many_continuations(make: Callable[[int], Program], layout: Layout, count: int) -> None:
    program = make(count)
    text = pretty(program, layout=layout)
    assert len(text) < count * 300
    assert same_program(program, parse(Source("text", text)))


@pytest.mark.parametrize("make", [sums, effects, switch, parameters, functions])
def test_large_parts(make: Callable[[int], Program]) -> None:
    program = make(size(4_000))
    text = pretty(program)
    assert same_program(program, parse(Source("text", text)))


def test_the_work_of_printing_grows_with_the_size() -> None:
    sizes = [500, 1000]
    made = [ifs(count) for count in sizes]
    assert growth([lines_executed(partial(pretty, program)) for program in made], sizes) < 1.1


@pytest.mark.parametrize(
    "expression",
    ["(" * MANY + "x" + ")" * MANY, "-" * MANY + "x", "long(" * MANY + "x" + ")" * MANY, "x" + "+ x" * MANY],
)
def test_deep_expressions_by_hand(expression: str) -> None:
    program = parse(Source("text", f"f(x : long) → ⊥ {{ v := {expression}; halt(0) }}"))
    assert same_program(program, parse(Source("text", pretty(program))))


def test_deep_abstractions_by_hand() -> None:
    text = "f(x : int, ret : int → ⊥) → ⊥ {" + "f(x, λ(x : int). " * 5000 + "ret(x)" + ")" * 5000 + "}"
    program = parse(Source("text", text))
    assert len(program.functions[0].continuations) == 5000
    assert same_program(program, parse(Source("text", pretty(program))))
