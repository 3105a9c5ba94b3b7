"""Interval arithmetic on integers, for the table of operations.

Only integers and `bool` (0 or 1) have intervals. A rule takes the result type and the intervals of the operands, and
bounds the exact result on unbounded integers; `wrapped` maps the bounds into the range of the type.

The bound `UNBOUNDED` of an `integer` stands for all larger numbers, too. The rules compute with it as with a number: it
is so large that every result that depends on it is beyond `_LARGEST`, the largest bound that is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cpsconv.core.ir import INTEGER, Scalar, Type
from cpsconv.core.operations.python_arithmetic import truncated_quotient
from cpsconv.core.operations.types import is_bits, is_integer, range_of

Interval = tuple[int, int]
"""The smallest and the largest possible value."""

Rule = Callable[..., Interval]
"""The function from the result type and the operands' intervals to an interval that contains every exact result."""


UNBOUNDED = 1 << 256
"""The upper bound of an `integer` that may have any larger value; the lower bound is its negation."""

_LARGEST = (1 << 128) - 1


def has_interval(type: Type) -> bool:
    """Whether values of the type have intervals."""
    return is_bits(type) or type is INTEGER


def type_interval(type: Type) -> Interval:
    """All values of an integer type; ``(0, 1)`` for any other type."""
    if type is INTEGER:
        return -UNBOUNDED, UNBOUNDED
    return range_of(type) if isinstance(type, Scalar) and is_integer(type) else (0, 1)


def join(one: Interval | None, other: Interval) -> Interval:
    """The smallest interval that contains both. None is the empty interval."""
    return (min(one[0], other[0]), max(one[1], other[1])) if one else other


def wrapped(type: Type, interval: Interval) -> Interval:
    """The interval of the wrapped values: all values of the type if the values wrap differently."""
    if type is INTEGER:
        low, high = min(interval[0], _LARGEST), max(interval[1], -_LARGEST)
        return -UNBOUNDED if low < -_LARGEST else low, UNBOUNDED if high > _LARGEST else high
    lowest, highest = type_interval(type)
    size = highest + 1 - lowest
    multiple = (interval[0] - lowest) // size
    if multiple != (interval[1] - lowest) // size:
        return lowest, highest
    return interval[0] - multiple * size, interval[1] - multiple * size


def _hull(corners: Iterable[int]) -> Interval:
    found = [*corners]
    return min(found), max(found)


# -------------------------------------------------------------------------------------------------------------- rules
# The interval of the exact result of each operation.


def total(_: Scalar, left: Interval, right: Interval) -> Interval:
    return left[0] + right[0], left[1] + right[1]


def difference(_: Scalar, left: Interval, right: Interval) -> Interval:
    return left[0] - right[1], left[1] - right[0]


def product(_: Scalar, left: Interval, right: Interval) -> Interval:
    """A product is extreme at bounds of the operands."""
    return _hull(one * other for one in left for other in right)


def quotient(_: Scalar, left: Interval, right: Interval) -> Interval:
    """A quotient is extreme at bounds of the operands or a divisor of 1 or -1. (Division by 0 traps.)"""
    near = [divisor for divisor in (*right, -1, 1) if right[0] <= divisor <= right[1] and divisor]
    return _hull(truncated_quotient(one, divisor) for one in left for divisor in near) if near else (0, 0)


def remainder(_: Scalar, left: Interval, right: Interval) -> Interval:
    """A remainder has the dividend's sign, at most its magnitude, and a smaller magnitude than the divisor."""
    limit = max(abs(right[0]), abs(right[1]), 1) - 1
    return max(min(left[0], 0), -limit), min(max(left[1], 0), limit)


def conjunction(type: Scalar, left: Interval, right: Interval) -> Interval:
    """The result of ``&`` is at most as large as each non-negative operand."""
    limits = [high for low, high in (left, right) if low >= 0]
    return (0, min(limits)) if limits else type_interval(type)


def disjunction(type: Scalar, left: Interval, right: Interval) -> Interval:
    """``|`` and ``^``: the result for non-negative operands has at most as many binary digits as the longer one."""
    if min(left[0], right[0]) < 0:
        return type_interval(type)
    return 0, (1 << max(left[1], right[1]).bit_length()) - 1


def left_shift(type: Scalar, value: Interval, count: Interval) -> Interval:
    return _hull(each << by for each in value for by in _counts(type, count))


def right_shift(type: Scalar, value: Interval, count: Interval) -> Interval:
    return _hull(each >> by for each in value for by in _counts(type, count))


def _counts(type: Scalar, count: Interval) -> Interval:
    """The interval of a shift count modulo the width."""
    last = type.bits - 1
    return count if count[0] >= 0 and count[1] <= last else (0, last)


def negation(_: Scalar, operand: Interval) -> Interval:
    return -operand[1], -operand[0]


def complement(_: Scalar, operand: Interval) -> Interval:
    return ~operand[1], ~operand[0]


def magnitude(_: Scalar, operand: Interval) -> Interval:
    low, high = operand
    return (0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))


def same(_: Scalar, operand: Interval) -> Interval:
    """A conversion keeps the value, before it is wrapped."""
    return operand


# -------------------------------------------------------------------------------------------------------- comparisons
# The interval of the left operand if it is below (at most, above, …) the right operand. It is empty (its bounds are
# reversed) if the comparison cannot be true.


def below(left: Interval, right: Interval) -> Interval:
    return left[0], min(left[1], right[1] - 1)


def at_most(left: Interval, right: Interval) -> Interval:
    return left[0], min(left[1], right[1])


def above(left: Interval, right: Interval) -> Interval:
    return max(left[0], right[0] + 1), left[1]


def at_least(left: Interval, right: Interval) -> Interval:
    return max(left[0], right[0]), left[1]


def equal(left: Interval, right: Interval) -> Interval:
    return max(left[0], right[0]), min(left[1], right[1])


def unequal(left: Interval, right: Interval) -> Interval:
    """A single value of `right` is excluded if it is a bound of `left`."""
    if right[0] != right[1]:
        return left
    return left[0] + (left[0] == right[0]), left[1] - (left[1] == right[0])
