"""Intervals of integers, and what comes of them: by operations, by conversions, where a comparison holds.

What is *counted* are integers, and a `bool` as 0 or 1. Operations are first computed as if types had no bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from cpsconv.ir import BOOL, SCALARS, Primitive, Scalar, Type
from cpsconv.operations.semantics import range_of
from cpsconv.operations.table import CONVERT, is_integer

Interval = tuple[int, int]
"""The smallest and the largest integer that a value can be."""

_COUNTED = {BOOL, *filter(is_integer, SCALARS.values())}


def is_counted(type: Type) -> bool:
    """Whether there are intervals of values of that type."""
    return type in _COUNTED


def of_type(type: Type) -> Interval:
    """All values of a type; something, if these are no integers."""
    return range_of(type) if isinstance(type, Scalar) and type.kind == "integer" else (0, 1)


def joined(one: Interval | None, other: Interval) -> Interval:
    """The smallest interval around both; None stands for no number at all."""
    return (min(one[0], other[0]), max(one[1], other[1])) if one else other


def wrapped(type: Type, interval: Interval) -> Interval:
    """The interval modulo the size of the type, if it does not lie across a bound of it; else all of the type."""
    lowest, highest = of_type(type)
    size = highest + 1 - lowest
    turns = (interval[0] - lowest) // size
    if turns != (interval[1] - lowest) // size:
        return lowest, highest
    return interval[0] - turns * size, interval[1] - turns * size


NARROWED: dict[str, Callable[[Interval, Interval], Interval]] = {
    "<": lambda known, other: (known[0], min(known[1], other[1] - 1)),
    "<=": lambda known, other: (known[0], min(known[1], other[1])),
    ">": lambda known, other: (max(known[0], other[0] + 1), known[1]),
    ">=": lambda known, other: (max(known[0], other[0]), known[1]),
    "==": lambda known, other: (max(known[0], other[0]), min(known[1], other[1])),
    "!=": lambda known, other: (
        (known[0] + (known[0] == other[0]), known[1] - (known[1] == other[0])) if other[0] == other[1] else known
    ),
}
"""By comparison: from the intervals of its operands to that of the first one, where it holds. It may be upside down."""


# --------------------------------------------------------------------------------------------------------- operations


def exact(primitive: Primitive, operands: Sequence[Interval]) -> Interval:
    """What an operation that gives an integer computes from such operands, before that is wrapped to its type."""
    compute = _EXACT.get(primitive.op)
    if compute is None or primitive.type is BOOL or not is_counted(primitive.operands[0].type):
        return of_type(primitive.type)
    return compute(primitive, *operands)


def _spanned(corners: Iterable[int]) -> Interval:
    found = [*corners]
    return min(found), max(found)


def _product(_: Primitive, left: Interval, right: Interval) -> Interval:
    return _spanned(one * other for one in left for other in right)


def _quotient(_: Primitive, left: Interval, right: Interval) -> Interval:
    """Largest where the divisor is next to 0. (By 0 nothing is divided.)"""
    near = [divisor for divisor in (*right, -1, 1) if right[0] <= divisor <= right[1] and divisor]
    return _spanned(_truncated(one, divisor) for one in left for divisor in near) if near else (0, 0)


def _truncated(dividend: int, divisor: int) -> int:
    magnitude = abs(dividend) // abs(divisor)
    return magnitude if (dividend < 0) == (divisor < 0) else -magnitude


def _remainder(_: Primitive, left: Interval, right: Interval) -> Interval:
    """Smaller than the divisor, no larger than the dividend, and with its sign."""
    most = max(abs(right[0]), abs(right[1]), 1) - 1
    return max(min(left[0], 0), -most), min(max(left[1], 0), most)


def _conjunction(primitive: Primitive, left: Interval, right: Interval) -> Interval:
    """No larger than an operand that is not negative."""
    most = [high for low, high in (left, right) if low >= 0]
    return (0, min(most)) if most else of_type(primitive.type)


def _disjunction(primitive: Primitive, left: Interval, right: Interval) -> Interval:
    """Of two numbers that are not negative: one with no more digits. So is their exclusive disjunction."""
    if min(left[0], right[0]) < 0:
        return of_type(primitive.type)
    return 0, (1 << max(left[1], right[1]).bit_length()) - 1


def _shifted(shift: Callable[[int, int], int]) -> Callable[[Primitive, Interval, Interval], Interval]:
    def shifted(primitive: Primitive, value: Interval, count: Interval) -> Interval:
        last = primitive.type.bits - 1
        counts = count if count[0] >= 0 and count[1] <= last else (0, last)
        return _spanned(shift(each, by) for each in value for by in counts)

    return shifted


def _absolute(_: Primitive, operand: Interval) -> Interval:
    low, high = operand
    return (0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))


_EXACT: dict[str, Callable[..., Interval]] = {
    "+": lambda _, left, right: (left[0] + right[0], left[1] + right[1]),
    "-": lambda _, left, right: (left[0] - right[1], left[1] - right[0]),
    "*": _product,
    "/": _quotient,
    "%": _remainder,
    "&": _conjunction,
    "|": _disjunction,
    "^": _disjunction,
    "<<": _shifted(lambda value, count: value << count),
    ">>": _shifted(lambda value, count: value >> count),
    "neg": lambda _, operand: (-operand[1], -operand[0]),
    "~": lambda _, operand: (~operand[1], ~operand[0]),
    "abs": _absolute,
    CONVERT: lambda _, operand: operand,
}
"""For each operation: the smallest interval that is easily told, of what it computes from operands in those given."""
