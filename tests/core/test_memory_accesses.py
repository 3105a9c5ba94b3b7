"""Optimisation of memory accesses: which loads and stores are removed, and that programs behave as before."""

from __future__ import annotations

import random
from collections.abc import Iterator
from textwrap import dedent, indent

import pytest

from cpsconv.core.analysis.places import Places
from cpsconv.core.check import check
from cpsconv.core.entry import data_parameters, entry_of
from cpsconv.core.ir import Program
from cpsconv.core.source import DiagnosticError, Source
from cpsconv.core.text import parse, pretty
from cpsconv.core.transform import prune
from cpsconv.core.transform.memory_accesses import simplify_accesses
from testing.effort import sample
from testing.evaluation import behaviour
from testing.ir_programs import random_program
from testing.memory_programs import FAULTS, graph_program, program

ITEMS = """\
struct point { x : int, y : int }
data d := int[2] { 1, 2 }
const c := int[3] { 4, 5, 6 }
const words := ptr[2] { d, null }
extern visit(p : ptr, ret : () → ⊥) → ⊥
"""


def simplified(text: str) -> Program:
    result = parse(Source("test.cps", text))
    simplify_accesses(result)
    prune(result, computations=True)
    assert check(result) == []
    return result


def body_of(statements: str) -> str:
    """The function with these statements, and three parameters."""
    shown = indent(dedent(statements).strip(), "  ")
    return f"{ITEMS}\nf(p : ptr, q : ptr, n : int, ret : int → ⊥) → ⊥ {{\n{shown}\n}}\n"


def remaining(statements: str) -> list[str]:
    """The lines of the function that remain."""
    text = pretty(simplified(body_of(statements)))
    return [line.strip() for line in text.partition("\nf(")[2].splitlines()[1:-1]]


_CHANGED = {
    "a load after a store": ("int[p] := n; v := int[p]; ret(v)", "int[p] := n; ret(n)"),
    "a second load": ("v := int[p]; w := int[p]; ret(v + w)", "v := int[p]; ret(v + v)"),
    "a store elsewhere in the object": (
        "v := int[point.x(p)]; int[point.y(p)] := n; w := int[point.x(p)]; ret(v + w)",
        "v := int[point.x(p)]; int[point.y(p)] := n; ret(v + v)",
    ),
    "two accesses at one varying index": ("int[p, n] := 5; v := int[p, n]; ret(v)", "int[p, n] := 5; ret(5)"),
    "a store to another allocation": (
        "a := malloc(4ul); v := int[a]; int[d] := n; w := int[a]; ret(v + w)",
        "a := malloc(4ul); v := int[a]; int[d] := n; ret(v + v)",
    ),
    "a call that cannot know the object": (
        "a := malloc(4ul); int[a] := n; visit(q, λ(). v := int[a]; ret(v))",
        "a := malloc(4ul); int[a] := n; visit(q, λ(). ret(n))",
    ),
    "another freed object": (
        "a := calloc(1ul, 4ul); v := int[a]; free(q); w := int[a]; ret(v + w)",
        "a := calloc(1ul, 4ul); v := int[a]; free(q); ret(v + v)",
    ),
    "a copied content": (
        "int[point.y(p)] := n; point[q] := point[p]; v := int[point.y(q)]; ret(v)",
        "int[point.y(p)] := n; point[q] := point[p]; ret(n)",
    ),
    "constant data": ("v := int[c, 2]; ret(v)", "ret(6)"),
    "an address in constant data": ("a := ptr[words]; v := int[a, 1]; ret(v)", "v := int[d, 1]; ret(v)"),
    "an overwritten store": ("int[d] := 1; int[d] := 2; visit(p, λ(). ret(0))", "int[d] := 2; visit(p, λ(). ret(0))"),
    "an overwritten store to a place that was stored to": (
        "int[p] := n; visit(null, λ(). int[p] := 1; int[p] := 2; int[p] := 3; ret(0))",
        "int[p] := n; visit(null, λ(). int[p] := 1; int[p] := 3; ret(0))",
    ),
    "an object whose lifetime ends": (
        "a := allocate int[2]; int[a, 1] := n; v := int[a, 1]; deallocate(a); ret(v)",
        "a := allocate int[2]; deallocate(a); ret(n)",
    ),
    "the content of a constant variable": (
        "a := allocate int; ptr[p] := a; int[a] := n; make_constant(a); v := int[a]; ret(v)",
        "a := allocate int; ptr[p] := a; int[a] := n; make_constant(a); ret(n)",
    ),
    "the same value again": ("int[p] := n; int[p] := n; ret(0)", "int[p] := n; ret(0)"),
    "the value that is there": ("v := int[d]; int[d] := v; ret(v)", "v := int[d]; ret(v)"),
}
"""Bodies of `f` before and after the pass, by what they show."""

_UNCHANGED = {
    "a store by another pointer": "v := int[p]; int[q] := n; w := int[p]; ret(v + w)",
    "a store at a varying index": "v := int[p]; int[p, n] := n; w := int[p]; ret(v + w)",
    "another allocation": (
        "a := malloc(4ul); b := malloc(4ul); int[a] := 1; int[b] := 2; visit(a, λ(). visit(b, λ(). ret(0)))"
    ),
    "a store of another type": "int[p] := n; short[p] := 5s; v := int[p]; ret(v)",
    "a load of another type": "int[p] := n; v := unsigned[p]; ret(int(v))",
    "a call": "v := int[p]; visit(q, λ(). w := int[p]; ret(v + w))",
    "a freed object": "v := int[p]; free(q); w := int[p]; ret(v + w)",
    "a stored undefined value": "int[p] := undef(u : int); v := int[p]; ret(v)",
    "constant data at a varying index": "v := int[c, n]; ret(v)",
    "constant data out of bounds": "v := int[c, 3]; ret(v)",
    "the second half of a pointer in constant data": "v := int[words, 1]; ret(v)",
    "data that can change": "v := int[d]; ret(v)",
    "a store that a call may read": "int[d] := 1; visit(p, λ(). int[d] := 2; ret(0))",
    "an overwritten store that may fail": "int[p] := 1; int[p] := 2; visit(p, λ(). ret(0))",
    "a store that is read before it is overwritten": "int[d] := 1; v := int[p]; int[d] := 2; ret(v)",
    "a store that is overwritten in part": "int[d] := n; short[d] := 2s; ret(0)",
    "a store of one byte before a load of all": "int[d] := n; char[char.at(d, 1)] := 'x'; v := int[d]; ret(v)",
    "a load of one byte of an overwritten store": "int[d] := n; v := char[char.at(d, 1)]; int[d] := 2; ret(int(v))",
    "a store out of bounds": "a := allocate int[2]; int[a, 2] := n; deallocate(a); ret(0)",
    "a store below the start": "a := allocate int[2]; int[a, -1] := n; deallocate(a); ret(0)",
    "an overwritten store below the start of data": "int[d, -1] := 1; int[d, -1] := 2; ret(0)",
    "a store after the end": "a := allocate int[2]; deallocate(a); int[a] := n; ret(0)",
    "a store to a constant variable": "a := allocate int; make_constant(a); int[a] := n; ret(0)",
    "a store to a variable that may be constant": (
        "a := allocate int; int[a] := 1; visit(a, λ(). int[a] := 1; make_constant(p); int[a] := 1; ret(0))"
    ),
    "an object whose address is known elsewhere": "a := allocate int; ptr[p] := a; int[a] := n; ret(0)",
    "the value that is there, perhaps constant": "v := int[p]; int[p] := v; ret(v)",
    "an output of an object": (
        'a := allocate char[2]; char[a] := char(n); char[a, 1] := char(0); printf("%s", a); deallocate(a); ret(0)'
    ),
}
"""Bodies of `f` that the pass leaves alone, by the reason."""

_RULES = {**_CHANGED, **{name: (statements, statements) for name, statements in _UNCHANGED.items()}}


@pytest.mark.parametrize(("statements", "expected"), _RULES.values(), ids=_RULES)
def test_rules(statements: str, expected: str) -> None:
    plain = pretty(parse(Source("test.cps", body_of(expected)))).partition("\nf(")[2].splitlines()[1:-1]
    assert remaining(statements) == [line.strip() for line in plain]


LOOP = """
int[p] := n;
let
  loop := (i : int) → ⊥
    v := int[p];
    {effect}
    branch(i < v, λ(). loop(i + 1), λ(). ret(v))
in
loop(0)
"""


@pytest.mark.parametrize(
    ("effect", "stays"), [("int[c] := 1;", True), ('printf("%d", i);', False), ("int[q] := i;", True)]
)
def test_a_load_in_a_loop_is_removed_unless_the_loop_changes_the_place(effect: str, stays: bool) -> None:
    assert ("v := int[p];" in remaining(LOOP.format(effect=effect))) == stays


def test_a_store_through_a_parameter_is_not_overwritten_by_the_next_iteration() -> None:
    text = """
    a := calloc(1ul, 4ul);
    let
      loop := (i : int, r : ptr) → ⊥
        v := int[a];
        int[r] := v;
        int[r] := 2;
        branch(i < n, λ(). loop(i + 1, q), λ(). halt(0))
    in
    loop(0, p)
    """
    assert "int[r] := 2;" in remaining(text)


def test_a_stored_value_that_may_be_undefined_is_loaded_again() -> None:
    text = "let k := (x : int) → ⊥ int[p] := x; v := int[p]; ret(v) in branch(n < 0, λ(). k(n), λ(). k({}))"
    assert "v := int[p];" in remaining(text.format("undef(u : int)"))
    assert "v := int[p];" not in remaining(text.format("5"))


def test_a_continuation_that_is_passed_as_a_value_starts_without_facts() -> None:
    text = """\
data d := int[1] { 1 }

twice(k : int → ⊥, ret : int → ⊥) → ⊥ {
  v := int[d];
  int[d] := v + 1;
  k(v)
}

main(ret : int → ⊥) → ⊥ {
  let
    after := (x : int) → ⊥
      v := int[d];
      ret(v)
  in
  int[d] := 7;
  twice(after, ret)
}
"""
    text = text.replace("  int[d] := 7;\n", "").replace("  let\n    after", "  int[d] := 7;\n  let\n    after")
    (_, main) = simplified(text).functions
    assert sum(statement.op in ("load", "store") for each in main.members() for statement in each.body) == 2


def test_both_ways_to_a_join_must_agree() -> None:
    text = "let k := () → ⊥ v := int[p]; ret(v) in branch(n < 0, λ(). int[p] := n; k(), λ(). int[p] := {}; k())"
    assert "v := int[p];" in " ".join(remaining(text.format("7")))
    assert "int[p];" not in " ".join(remaining(text.format("n")))


def test_a_store_that_is_overwritten_on_one_path_only_remains() -> None:
    text = "int[d] := 9; branch(n < 0, λ(). int[d] := 1; ret(0), λ(). {} ret(1))"
    assert "int[d] := 9;" in remaining(text.format(""))
    assert "int[d] := 9;" not in remaining(text.format("int[d] := 2;"))


def test_objects_are_confined_unless_their_address_is_passed_on() -> None:
    text = "a := allocate int; b := allocate int; e := malloc(4ul); ptr[p] := int.at(e, 1);"
    text += "visit(b, λ(). ret(int(a == b)))"
    (function,) = parse(Source("test.cps", body_of(text))).functions
    assert [each.name for each in Places(function).confined] == ["a"]


# ---------------------------------------------------------------------------------------------------------- behaviour


def results(of: Program) -> Iterator[object]:
    """The behaviour of each function that can be started: its end or fault, with the location, and the output."""
    for function in of.functions:
        try:
            entry_of(of, function.name)
        except DiagnosticError:
            continue
        values: dict[str, int | float | bool | str] = {"integer": 1, "bool": True, "float": 1.5, "string": "ab"}
        arguments = [values[each.type.kind] for each in data_parameters(function)]
        yield behaviour(of, function.name, arguments, max_steps=2_000)


def behaves_as_before(text: str) -> None:
    original, after = parse(Source("test.cps", text)), parse(Source("test.cps", text))
    simplify_accesses(after)
    assert check(after) == []
    assert [*results(after)] == [*results(original)]


@pytest.mark.parametrize("number", sample(range(500), 40))
def test_random_graphs_of_accesses_behave_as_before(number: int) -> None:
    """The programs also fail at the same accesses."""
    behaves_as_before(graph_program(number))


@pytest.mark.parametrize("number", sample(range(200), 12))
def test_random_programs_with_memory_behave_as_before(number: int) -> None:
    behaves_as_before(program(number))
    behaves_as_before(program(number, FAULTS[number % len(FAULTS)]))


@pytest.mark.parametrize("number", sample(range(1_000), 30))
def test_arbitrary_programs_with_memory_behave_as_before(number: int) -> None:
    behaves_as_before(pretty(random_program(random.Random(number), 1 + number % 3, 8, with_memory=True)))


def test_a_long_body_takes_linear_time() -> None:
    stores = "".join(f"int[d, {number % 2}] := {number}; v{number} := int[p, {number}];" for number in range(1_000))
    assert len(remaining(stores + "ret(v0)")) > 1_000
