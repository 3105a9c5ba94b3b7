"""Nested functions: free values in the program, its text and JSON, its analyses, and its lifted form."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cpsconv.core.analysis.nesting import find_free_values
from cpsconv.core.check import certify, check
from cpsconv.core.construction import Builder
from cpsconv.core.construction.record import Recorder
from cpsconv.core.erasure import erased, lifted
from cpsconv.core.ir import Program
from cpsconv.core.json.reader import from_json
from cpsconv.core.json.writer import to_json
from cpsconv.core.simplify import SIMPLIFICATIONS
from cpsconv.core.source import Source
from cpsconv.core.text import parse, pretty, reformat
from cpsconv.core.transform.jump_threading import thread_jumps
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.pipeline import construct as construct_passes
from testing.effort import examples
from testing.evaluation import result
from testing.nested_programs import MAX_FUEL, Nested, as_python, construct, random_nested

nests = st.builds(
    lambda seed, functions: random_nested(random.Random(seed), functions), st.integers(0, 10**6), st.integers(1, 7)
)


def expected_result(function: Nested, arguments: list[int]) -> int:
    """The result in Python, with Python's closures."""
    names: dict[str, object] = {}
    exec(as_python(function), names)
    result: int = names["f0"](MAX_FUEL, *arguments)  # type: ignore[operator]
    return result


def arguments_of(function: Nested) -> list[int]:
    return [number * 7 - 3 for number in range(len(function.parameters) - 1)]


def result_of(program: Program, arguments: list[int]) -> int:
    value: int = result(program, "f0", [MAX_FUEL, *arguments])
    return value


@settings(max_examples=examples(60))
@given(nests)
@example(random_nested(random.Random(31878), 2))  # it assigns a value of another function, and uses none
def test_every_strategy_gives_the_results_of_closures(function: Nested) -> None:
    arguments = arguments_of(function)
    expected = expected_result(function, arguments)
    for strategy in CONSTRUCTIONS:
        recorder = Recorder()
        program = construct_passes(lambda b, _: construct(function, b), Builder(strategy, (), recorder), [])
        assert check(program) == []
        assert certify(program, recorder.record) == []
        assert result_of(program, arguments) == expected


@settings(max_examples=examples(60))
@given(nests, st.booleans(), st.integers(20, 120))
def test_text_and_json_are_read_back_as_the_same_program(function: Nested, ascii: bool, width: int) -> None:
    program = construct(function, Builder())
    nested = pretty(program, ascii=ascii, width=width)
    for text in (nested, pretty(program, layout="flat", ascii=ascii, width=width)):
        again = parse(Source("again.cps", text))
        assert check(again) == []
        assert pretty(again, ascii=ascii, width=width) == nested
        assert reformat(Source("again.cps", text), ascii=ascii, width=width) == text
        assert reformat(Source("again.cps", text), layout="nested", ascii=ascii, width=width) == nested
    read = from_json(to_json(program))
    assert pretty(read, ascii=ascii, width=width) == nested
    assert to_json(read).partition('"functions"')[2] == to_json(program).partition('"functions"')[2]


@pytest.mark.parametrize("name", ["k", "k1", "k_"])
def test_abstractions_take_no_name_from_an_inner_function(name: str) -> None:
    text = f"""\
f(x : int, ret : int → ⊥) → ⊥ {{
  let
    g(y : int, ret : int → ⊥) → ⊥ {{
      let
        {name} := (a : int) → ⊥
          next := a - 1;
          branch(a < x, λ(). ret(y), λ(). {name}(next))
      in
      {name}(y)
    }}
  in
  g(x, λ(v : int).
  g(v, λ(v1 : int).
  ret(v1)))
}}
"""
    program = parse(Source("again.cps", text))
    assert pretty(program) == text
    flat = pretty(program, layout="flat")
    assert pretty(parse(Source("flat.cps", flat)), layout="flat") == reformat(Source("flat.cps", flat)) == flat


@settings(max_examples=examples(60))
@given(nests, st.sampled_from([*CONSTRUCTIONS]))
def test_every_transformation_keeps_the_result(function: Nested, strategy: str) -> None:
    optimise = [name for name in OPTIMISATIONS if name != "functions"]
    builder = Builder(strategy, SIMPLIFICATIONS.keys())
    program = construct_passes(lambda b, _: construct(function, b), builder, [], optimise=optimise)
    assert check(program) == []
    arguments = arguments_of(function)
    expected = expected_result(function, arguments)
    assert result_of(program, arguments) == expected
    thread_jumps(program)
    assert check(program) == []
    assert result_of(program, arguments) == expected
    again = parse(Source("again.cps", pretty(program)))
    assert check(again) == []
    assert pretty(again) == pretty(program)
    assert result_of(again, arguments) == expected


@settings(max_examples=examples(40))
@given(nests)
def test_lifting_leaves_no_free_values(function: Nested) -> None:
    program = construct(function, Builder())
    for copy in (erased(program), lifted(program)):
        assert check(copy) == []
        find_free_values(copy)
        assert not any(each.free for each in copy.functions)
    assert all(
        each.lifted == len(original.free) for each, original in zip(copy.functions, program.functions, strict=True)
    )
