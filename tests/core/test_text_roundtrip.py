"""Printing and parsing preserve every program, in every layout and width, and take linear time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv.core.ir import HALT, INT, STRING, VOID, Constant, Edge, Effect, Function, Jump, Program
from cpsconv.core.source import Diagnostic, Source
from cpsconv.core.text import parse, pretty
from cpsconv.core.text.printer import Layout
from testing.counting import growth, lines_executed
from testing.effort import examples, size
from testing.ir_programs import programs
from testing.isomorphism import same_program

MANY = size(10_000)

layouts = st.sampled_from(["nested", "flat"])


@settings(max_examples=examples(150))
@given(programs(), layouts, st.booleans(), st.sampled_from([1, 20, 30, 40, 60, 80, 200]))
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


def test_every_pair_of_characters_in_a_string_is_preserved() -> None:
    """An escape must not continue with the digits after it."""
    characters = [*map(chr, range(256))]
    for following in "07af\\\"'x\1":
        string = Constant(STRING, "".join(each + following for each in characters))
        function = Function("f", [], [Effect("eprint", (string,), VOID)], Jump(Edge(HALT, [Constant(INT, 0)])))
        (again,) = parse(Source("strings", pretty(Program([function])))).functions
        (found,) = again.body[0].operands
        assert isinstance(found, Constant) and found.value == string.value


# ----------------------------------------------------------------------------------------------------------- sizes

HEADER = "f(x : int, ret : int → ⊥) → ⊥ {"


def ifs(count: int) -> str:
    member = "then{0} := () → ⊥ next{1}({0}) next{0} := (x{0} : int) → ⊥ branch(x{0} == 0, then{0}, λ(). next{1}(x{0}))"
    members = " ".join(member.format(number, number + 1) for number in range(count // 2))
    return f"{HEADER} let {members} next{count // 2} := (y : int) → ⊥ ret(y) in next0(x) }}"


def calls(count: int) -> str:
    return HEADER + "f(x, λ(x : int). " * count + "ret(x)" + ")" * count + "}"


def nesting(count: int) -> str:
    members = " ".join(f"k{number} := () → ⊥ k{number + 1}()" for number in range(count))
    return f"{HEADER} let {members} k{count} := () → ⊥ ret(x) in k0() }}"


def sums(count: int) -> str:
    sums = (f"v{number + 1} := {number} + v{number};" for number in range(count))
    return f"{HEADER} v0 := x; {' '.join(sums)} ret(v{count}) }}"


def effects(count: int) -> str:
    return f"{HEADER} written := putchar(x); {'putchar(x); ' * count} ret(written) }}"


def switch(count: int) -> str:
    members = " ".join(f"case{number} := () → ⊥ ret({number})" for number in range(1, count, 2))
    cases = ", ".join(f"{number} ⇒ {f'case{number}' if number % 2 else 'λ(). ret(x)'}" for number in range(count))
    return f"{HEADER} let {members} in switch(x, {cases}, _ ⇒ λ(). ret(x)) }}"


def parameters(count: int) -> str:
    return f"{HEADER} let k := ({', '.join(f'y{number} : int' for number in range(count))}) → ⊥ ret(y{count - 1}) in \
k({', '.join(['x'] * count)}) }}"


def functions(count: int) -> str:
    return " ".join(f"f{number}(x : int, ret : int → ⊥) → ⊥ {{ ret(x) }}" for number in range(count))


@pytest.mark.parametrize(
    ("make", "layout", "count"),
    [
        *((make, "nested", 20_000) for make in (ifs, calls, nesting)),
        *((make, "flat", 4_000) for make in (ifs, calls)),
        *((make, "nested", 4_000) for make in (sums, effects, switch, parameters, functions)),
    ],
)
def test_large_parts(make: Callable[[int], str], layout: Layout, count: int) -> None:
    program = parse(Source("text", make(size(count))))
    text = pretty(program, layout=layout)
    assert len(text) < size(count) * 300
    assert same_program(program, parse(Source("printed", text)))


def test_the_work_of_printing_grows_with_the_size() -> None:
    sizes = [500, 1000]
    made = [parse(Source("text", ifs(count))) for count in sizes]
    assert growth([lines_executed(partial(pretty, program)) for program in made], sizes) < 1.1


@pytest.mark.parametrize(
    "expression",
    ["(" * MANY + "x" + ")" * MANY, "-" * MANY + "x", "long(" * MANY + "x" + ")" * MANY, "x" + "+ x" * MANY],
)
def test_deep_expressions_by_hand(expression: str) -> None:
    program = parse(Source("text", f"f(x : long) → ⊥ {{ v := {expression}; halt(0) }}"))
    assert same_program(program, parse(Source("text", pretty(program))))
