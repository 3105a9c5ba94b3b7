"""Interval arithmetic on integers: the rules that the table of operations refers to.

Only integers and `bool`, as 0 or 1, have intervals. A rule takes the result type and the operands' intervals, and
computes as if types had no bounds; `wrapped` then maps the result into the range of its type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cpsconv.ir import Scalar, Type
from cpsconv.operations.python_arithmetic import truncated_quotient
from cpsconv.operations.types import is_bits, is_integer, range_of

Interval = tuple[int, int]
"""The smallest and the largest integer that a value can be."""

Rule = Callable[..., Interval]
"""From the result type and the operands' intervals to an interval that contains every exact result."""


def is_counted(type: Type) -> bool:
    """Whether values of the type have intervals."""
    return is_bits(type)


def of_type(type: Type) -> Interval:
    """All values of an integer type; ``(0, 1)`` for any other type."""
    return range_of(type) if isinstance(type, Scalar) and is_integer(type) else (0, 1)


def joined(one: Interval | None, other: Interval) -> Interval:
    """The smallest interval that contains both. None is the empty interval."""
    return (min(one[0], other[0]), max(one[1], other[1])) if one else other


def wrapped(type: Type, interval: Interval) -> Interval:
    """The interval modulo the size of the type, or the whole type if the interval crosses one of its bounds."""
    lowest, highest = of_type(type)
    size = highest + 1 - lowest
    turns = (interval[0] - lowest) // size
    if turns != (interval[1] - lowest) // size:
        return lowest, highest
    return interval[0] - turns * size, interval[1] - turns * size


def _hull(corners: Iterable[int]) -> Interval:
    found = [*corners]
    return min(found), max(found)


def total(_: Scalar, left: Interval, right: Interval) -> Interval:
    """Of a sum."""
    return left[0] + right[0], left[1] + right[1]


def difference(_: Scalar, left: Interval, right: Interval) -> Interval:
    """Of a difference."""
    return left[0] - right[1], left[1] - right[0]


def product(_: Scalar, left: Interval, right: Interval) -> Interval:
    """Of a product: its extremes are at the bounds of the operands."""
    return _hull(one * other for one in left for other in right)


def quotient(_: Scalar, left: Interval, right: Interval) -> Interval:
    """Of a quotient, which is largest for a divisor next to 0. (Division by 0 has no result.)"""
    near = [divisor for divisor in (*right, -1, 1) if right[0] <= divisor <= right[1] and divisor]
    return _hull(truncated_quotient(one, divisor) for one in left for divisor in near) if near else (0, 0)


def remainder(_: Scalar, left: Interval, right: Interval) -> Interval:
    """Of a remainder: smaller than the divisor, no larger than the dividend, and with the dividend's sign."""
    most = max(abs(right[0]), abs(right[1]), 1) - 1
    return max(min(left[0], 0), -most), min(max(left[1], 0), most)


def conjunction(type: Scalar, left: Interval, right: Interval) -> Interval:
    """Of ``&``: no larger than a non-negative operand."""
    most = [high for low, high in (left, right) if low >= 0]
    return (0, min(most)) if most else of_type(type)


def disjunction(type: Scalar, left: Interval, right: Interval) -> Interval:
    """Of ``|`` and ``^``: for non-negative operands, no more binary digits than the longer operand."""
    if min(left[0], right[0]) < 0:
        return of_type(type)
    return 0, (1 << max(left[1], right[1]).bit_length()) - 1


def left_shift(type: Scalar, value: Interval, count: Interval) -> Interval:
    """Of ``<<``."""
    return _hull(each << by for each in value for by in _counts(type, count))


def right_shift(type: Scalar, value: Interval, count: Interval) -> Interval:
    """Of ``>>``."""
    return _hull(each >> by for each in value for by in _counts(type, count))


def _counts(type: Scalar, count: Interval) -> Interval:
    """A shift count is taken modulo the width."""
    last = type.bits - 1
    return count if count[0] >= 0 and count[1] <= last else (0, last)


def negation(_: Scalar, operand: Interval) -> Interval:
    """Of a unary ``-``."""
    return -operand[1], -operand[0]


def complement(_: Scalar, operand: Interval) -> Interval:
    """Of ``~``."""
    return ~operand[1], ~operand[0]


def magnitude(_: Scalar, operand: Interval) -> Interval:
    """Of ``abs``."""
    low, high = operand
    return (0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))


def same(_: Scalar, operand: Interval) -> Interval:
    """Of a conversion."""
    return operand


# -------------------------------------------------------------------------------------------------------- comparisons
# From the intervals of the operands to that of the left one where the comparison holds; empty (reversed) if it cannot.


def below(left: Interval, right: Interval) -> Interval:
    """Where ``left < right``."""
    return left[0], min(left[1], right[1] - 1)


def at_most(left: Interval, right: Interval) -> Interval:
    """Where ``left <= right``."""
    return left[0], min(left[1], right[1])


def above(left: Interval, right: Interval) -> Interval:
    """Where ``left > right``."""
    return max(left[0], right[0] + 1), left[1]


def at_least(left: Interval, right: Interval) -> Interval:
    """Where ``left >= right``."""
    return max(left[0], right[0]), left[1]


def equal(left: Interval, right: Interval) -> Interval:
    """Where ``left == right``."""
    return max(left[0], right[0]), min(left[1], right[1])


def unequal(left: Interval, right: Interval) -> Interval:
    """Where ``left != right``: a single value is excluded only at a bound."""
    if right[0] != right[1]:
        return left
    return left[0] + (left[0] == right[0]), left[1] - (left[1] == right[0])
