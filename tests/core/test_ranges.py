"""Range analysis: values at run time stay in their ranges, and typical loops have tight ranges."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import pytest

from cpsconv.core.analysis.ranges import exact_interval, ranges
from cpsconv.core.ir import INTEGER, Constant, Parameter, Primitive
from cpsconv.core.operations.intervals import UNBOUNDED, wrapped
from cpsconv.core.operations.semantics import operation
from cpsconv.core.source import Source
from cpsconv.core.text import parse

PRIMITIVE = {op: Primitive(op, (Constant(INTEGER, 1), Constant(INTEGER, 1)), INTEGER) for op in "+-*/%"}


@pytest.mark.parametrize("bound", [2**127, 2**128 - 1, 2**128, 2**256, 2**300])
@pytest.mark.parametrize("op", PRIMITIVE)
def test_rules_with_large_bounds_contain_all_results(op: str, bound: int) -> None:
    values = [-(2**400), -bound - 1, -bound, -1, 1, 5, bound, bound + 1, 2**400]
    for left, right in product(combinations_with_replacement(values, 2), repeat=2):
        intervals = wrapped(INTEGER, left), wrapped(INTEGER, right)
        low, high = wrapped(INTEGER, exact_interval(PRIMITIVE[op], intervals))
        for operands in product(left, right):
            result = operation(PRIMITIVE[op])(*operands)
            assert (low == -UNBOUNDED or low <= result) and (high == UNBOUNDED or result <= high)


def parameter_ranges(text: str) -> dict[str, tuple[int, int]]:
    """The range of each parameter of the last function, by its name."""
    found = ranges(parse(Source("f.cps", text)).functions[-1]).places
    return {str(place.name): interval for place, interval in found.items() if isinstance(place, Parameter)}


def counting(start: str, condition: str) -> tuple[int, int]:
    """The range of `i`, which counts up from the start as long as the condition holds."""
    text = f"let loop := (i : int) → ⊥ branch({condition}, λ(). loop(i + 1), λ(). ret(i)) in loop({start})"
    return parameter_ranges(f"f(n : int, ret : int → ⊥) → ⊥ {{ {text} }}")["i"]


def test_a_counter_stays_within_the_bounds_that_the_loop_tests() -> None:
    assert counting("3", "i < 100") == (3, 100)
    assert counting("3", "i <= 100") == (3, 101)
    assert counting("3", "100 > i") == (3, 100)
    assert counting("0", "i * i <= 99") == (0, 10)


def test_an_unknown_bound_excludes_overflow() -> None:
    assert counting("0", "i < n") == (0, 2**31 - 1)
    assert counting("0", "i != n") == (-(2**31), 2**31 - 1)
