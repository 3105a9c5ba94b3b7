"""Simplification during construction, and the computations that pruning may remove.

`test_rules.py` proves the rules of arithmetic one by one.
"""

from __future__ import annotations

from itertools import product

import pytest

from cpsconv.core.construction import Builder
from cpsconv.core.ir import DOUBLE, INT, Constant, Effect, Function, Jump, Primitive
from cpsconv.core.operations.table import PRIMITIVES
from cpsconv.core.simplify import SIMPLIFICATIONS
from cpsconv.core.source import Source
from cpsconv.core.text import parse, pretty
from cpsconv.core.transform import prune

COMPARISONS = [op for op, form in PRIMITIVES.items() if form.kind == "comparison"]
SMALL = [*product(range(3), repeat=2)]


def holds(op: str, x: int, y: int) -> bool:
    compute = PRIMITIVES[op].compute
    assert compute
    return bool(compute(INT)(x, y))


def function_of(b: Builder) -> Function:
    return b.function("f", [("x", INT), ("y", INT)], INT)


def test_a_builder_simplifies_on_request() -> None:
    builder = Builder(simplify=["arithmetic"])
    f = function_of(builder)
    x = f.parameters[0]
    assert builder.primitive("-", x, x).value == 0
    two = builder.primitive("+", Constant(INT, 1), Constant(INT, 1))
    assert isinstance(two, Primitive)
    assert builder.effect("putchar", two) is builder.current.continuation.body[-1]
    builder.ret(two)
    assert [type(each) for each in builder.finish().body] == [Primitive, Effect]
    assert isinstance(f.transfer, Jump)


@pytest.mark.parametrize("outcome", [True, False])
@pytest.mark.parametrize("is_mirrored", [True, False])
@pytest.mark.parametrize("asked", COMPARISONS)
@pytest.mark.parametrize("known", COMPARISONS)
def test_a_condition_is_decided_only_as_an_outcome_before_implies(
    known: str, asked: str, is_mirrored: bool, outcome: bool
) -> None:
    """The negation and the mirrored comparison are decided, too."""
    b = Builder(simplify=SIMPLIFICATIONS)
    x, y, _ = function_of(b).parameters
    then, otherwise = b.continuation("then"), b.continuation("else")
    b.branch(b.primitive(known, x, y), then, otherwise)
    b.seal(then)
    b.seal(otherwise)
    b.enter(then if outcome else otherwise)
    arms = b.continuation("yes"), b.continuation("no")
    b.branch(b.primitive(asked, *((y, x) if is_mirrored else (x, y))), *arms)
    taken = [arm for arm, block in zip((True, False), arms, strict=True) if block.predecessors]
    possible = {
        holds(asked, *((right, left) if is_mirrored else (left, right)))
        for left, right in SMALL
        if holds(known, left, right) == outcome
    }
    assert possible <= {*taken}
    same = PRIMITIVES[known].mirror or known if is_mirrored else known
    if asked in (same, PRIMITIVES[same].negation):
        assert {*taken} == possible


@pytest.mark.parametrize("op", ["+", "-", "*", "<", "<=", "=="])
def test_a_computation_is_shared_with_its_mirrored_form(op: str) -> None:
    b = Builder(simplify=SIMPLIFICATIONS)
    x, y, _ = function_of(b).parameters
    first, mirrored = b.primitive(op, x, y), b.primitive(PRIMITIVES[op].mirror or op, y, x)
    assert (first is mirrored) == (op != "-")
    assert b.primitive(op, x, y) is first


def test_a_rule_on_minus_zero_is_not_applied_to_zero() -> None:
    b = Builder(simplify=SIMPLIFICATIONS)
    x, _ = b.function("f", [("x", DOUBLE)], DOUBLE).parameters
    assert b.primitive("+", x, Constant(DOUBLE, -0.0)) is x
    assert b.primitive("+", x, Constant(DOUBLE, 0.0)) is not x


def test_constants_that_python_takes_for_equal_are_not_confused() -> None:
    b = Builder(simplify=SIMPLIFICATIONS)
    function_of(b)
    zeros = [b.primitive("neg", Constant(DOUBLE, zero)) for zero in (0.0, -0.0)]
    assert [str(zero.value) for zero in zeros] == ["-0.0", "0.0"]


@pytest.mark.parametrize(
    ("computation", "is_kept"),
    [
        ("x + y", False),
        ("x / 2", False),
        ("x / y", True),
        ("x / 0", True),
        ("x / -1", True),
        ("x % -1", True),
        ("undef(z : int) + 1", True),
    ],
)
def test_an_unused_computation_is_removed_unless_it_may_trap(computation: str, is_kept: bool) -> None:
    program = parse(Source("f.cps", f"f(x : int, y : int, ret : int → ⊥) → ⊥ {{ unused := {computation}; ret(x) }}"))
    prune(program, computations=True)
    assert ("unused" in pretty(program)) == is_kept


def test_a_pure_foreign_operation_without_operands_is_computed_once_and_removed_if_unused() -> None:
    b = Builder(simplify=SIMPLIFICATIONS)
    function = b.function("f", [], INT)
    values = [b.foreign("ml.zero", type=INT, pure=True) for _ in range(2)]
    b.foreign("ml.one", type=INT, pure=True)
    b.ret(values[1])
    b.finish()
    prune(b.program(), computations=True)
    assert values[0] is values[1] and function.body == [values[0]]
