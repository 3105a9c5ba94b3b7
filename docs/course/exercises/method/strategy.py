"""Corrects exercise 13: the strategy `local`.

Run with ``python -m pytest docs/course/exercises/method/strategy.py``.
"""

from __future__ import annotations

import io

import pytest

from cpsconv.core.construction import STRATEGIES, Builder, Variable
from cpsconv.core.evaluator import evaluate
from cpsconv.core.ir import INT, Constant, Function, Program
from cpsconv.core.text import pretty


def diamond(b: Builder, value: int | None = None, reads: bool = True) -> Function:
    """``if (x == 0) { print(x); x = value; } else print(x); return x;``, whose second arm may read nothing."""
    x = Variable("x", INT)
    function = b.function("f", [x], INT)
    then, other, join = b.continuation("then"), b.continuation("other"), b.continuation("join")
    b.branch(b.primitive("==", b.read_variable(x), Constant(INT, 0)), then, other)
    for block in then, other:
        b.open(block)
        if reads or block is then:
            b.effect("putchar", b.read_variable(x))
        if value is not None and block is then:
            b.write_variable(x, Constant(INT, value))
        b.jump(join)
    b.open(join)
    b.ret(b.read_variable(x))
    b.finish()
    return function


def loop(b: Builder) -> Function:
    """``while (i < n) { s = s + i; i = i + 1; } return s;``"""
    n, i, s = (Variable(name, INT) for name in "nis")
    function = b.function("f", [n], INT)
    header, body, end = b.continuation("while"), b.continuation("body"), b.continuation("end")
    for variable in i, s:
        b.write_variable(variable, Constant(INT, 0))
    b.jump(header)
    b.enter(header)
    b.branch(b.primitive("<", b.read_variable(i), b.read_variable(n)), body, end)
    b.open(body)
    b.write_variable(s, b.primitive("+", b.read_variable(s), b.read_variable(i)))
    b.write_variable(i, b.primitive("+", b.read_variable(i), Constant(INT, 1)))
    b.jump(header)
    b.seal(header)
    b.open(end)
    b.ret(b.read_variable(s))
    b.finish()
    return function


def test_the_strategy_is_a_row_of_the_table() -> None:
    assert "local" in STRATEGIES


def test_a_join_with_one_recorded_value_gets_no_parameter() -> None:
    b = Builder("local")
    assert b.counts[diamond(b)][:3] == (0, 0, 0)


def test_different_values_still_get_one() -> None:
    b = Builder("local")
    function = diamond(b, value=7)
    assert b.counts[function][:3] == (1, 0, 1)
    assert evaluate(Program([function]), arguments=[0], output=io.BytesIO()).arguments == [7]
    assert evaluate(Program([function]), arguments=[3], output=io.BytesIO()).arguments == [3]


def test_an_arm_without_a_recorded_value_is_searched_as_before() -> None:
    b = Builder("local")
    assert b.counts[diamond(b, reads=False)][:3] == (1, 1, 0)


def test_the_value_is_recorded_in_the_join() -> None:
    """A second look-up through the join visits no other block."""
    b, lookups = Builder("local"), []
    for reads in (1, 2):
        x = Variable("x", INT)
        function = b.function(f"f{reads}", [x], INT)
        arms, join = [b.continuation("one"), b.continuation("other")], b.continuation("join")
        b.branch(b.primitive("==", b.read_variable(x), Constant(INT, 0)), *arms)
        for arm in arms:
            b.open(arm)
            b.read_variable(x)
            b.jump(join)
        b.open(join)
        for _ in range(reads):
            b.read_variable(x)
        b.ret(b.read_variable(x))
        b.finish()
        lookups.append(b.counts[function].lookups)
    assert lookups[0] == lookups[1]


@pytest.mark.parametrize("construct", [diamond, loop])
def test_programs_are_those_of_basic(construct: type) -> None:
    texts = [pretty(Program([construct(Builder(strategy))])) for strategy in ("basic", "local")]
    assert texts[0] == texts[1]
