"""Corrects exercise 16: ``repeat S until b`` in While.

Run with ``python -m pytest docs/course/exercises/method/statement.py``.
"""

from __future__ import annotations

import io

import pytest

from cpsconv.core.check import check
from cpsconv.core.construction import STRATEGIES, Builder
from cpsconv.core.evaluator import evaluate
from cpsconv.core.ir import Program
from cpsconv.core.source import DiagnosticError, Source
from cpsconv.core.text import parse, pretty
from cpsconv.languages.while_language import read


def converted(text: str, strategy: str = "scc") -> Program:
    return read(Source("program.while", text))(Builder(strategy), [])


def result(program: Program, *arguments: int) -> str:
    output = io.BytesIO()
    evaluate(program, arguments=arguments, output=output)
    return output.getvalue().decode().replace("\n", " ").strip()


COUNT = "i := 0; repeat i := i + 1 until i >= n"


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_body_is_executed_until_the_condition_is_true(strategy: str) -> None:
    program = converted(COUNT, strategy)
    assert check(program) == [] and pretty(parse(pretty(program))) == pretty(program)
    assert result(program, 5) == "i = 5 n = 5"


def test_the_body_is_executed_at_least_once() -> None:
    assert result(converted(COUNT), 0) == "i = 1 n = 0"


def test_a_body_of_several_statements_and_a_loop_inside() -> None:
    text = """s := 0; i := 0;
    repeat {
        j := 0;
        repeat { s := s + 1; j := j + 1 } until j = 2;
        i := i + 1
    } until i = 3"""
    assert result(converted(text)) == "s = 6 i = 3 j = 2"


def test_the_body_assigns_before_what_follows() -> None:
    """Variables that the body assigns are no parameters of the program, unlike those of ``while``."""
    (function,) = converted("repeat x := 1 until true; y := x").functions
    assert [parameter.name for parameter in function.parameters] == ["ret"]
    (function,) = converted("while false do x := 1; y := x").functions
    assert [parameter.name for parameter in function.parameters] == ["x", "ret"]


def test_labels_in_the_body_are_defined_once() -> None:
    text = "i := 0; repeat { again: i := i + 1; if i < 3 then goto again else skip } until i > 4"
    assert result(converted(text)) == "i = 5"


def test_the_condition_is_a_truth_value() -> None:
    with pytest.raises(DiagnosticError, match="expected a truth value"):
        converted("repeat skip until 1 + 1")


def test_a_loop_variable_is_the_only_parameter() -> None:
    (function,) = converted("i := 0; repeat i := i + k until i > k * 9", "scc").functions
    kept = [parameter.name for member in function.continuations for parameter in member.parameters]
    assert kept == ["i"]
