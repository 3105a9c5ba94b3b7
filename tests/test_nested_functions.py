"""Nested functions: free values in the program, its text and JSON, its analyses, and its lifted form."""

from __future__ import annotations

import io

from hypothesis import given, settings

from cpsconv.core.construction import Builder
from cpsconv.core.erasure import erased
from cpsconv.core.text import pretty
from cpsconv.engines import ENGINES, prepare
from cpsconv.engines.machine.machine import Returned
from cpsconv.targets import TARGETS, Style
from testing.effort import examples
from testing.nested_programs import MAX_FUEL, Nested, construct
from tests.core.test_nested_functions import arguments_of, expected_result, nests


@settings(max_examples=examples(15))
@given(nests)
def test_every_target_writes_the_lifted_program(function: Nested) -> None:
    program = construct(function, Builder())
    before = pretty(program)
    for name, write in TARGETS.items():
        style = Style(entry="f0")
        if name not in ("cps", "json", "latex"):
            assert write(program, style) == write(erased(program), style)
    assert pretty(program) == before, "the program itself is not changed"


@settings(max_examples=examples(40))
@given(nests)
def test_every_engine_gives_the_results_of_closures(function: Nested) -> None:
    program = construct(function, Builder())
    arguments = arguments_of(function)
    expected = expected_result(function, arguments)
    start = program.function("f0")
    assert start
    for engine in ENGINES:
        stream = io.BytesIO()
        outcome = prepare(program, start, engine)([MAX_FUEL, *arguments], output=stream, errors=stream)
        assert isinstance(outcome, Returned) and outcome.value == expected
