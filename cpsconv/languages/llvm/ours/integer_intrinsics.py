"""Intrinsics on integers, by operations of the program: bits, overflow and saturation."""

from __future__ import annotations

import operator
from functools import reduce
from typing import Any

from cpsconv.languages.formulas import Formula, with_carry


def compared(is_signed: bool) -> Formula:
    """-1, 0 or 1 of a type, as the first operand is less than, equal to or greater than the second one."""

    def formula(type: Any, x: Any, y: Any) -> Any:
        if not is_signed:
            x, y = x.unsigned(), y.unsigned()
        return (x > y).to(type) - (x < y).to(type)

    return formula


# -------------------------------------------------------------------------------------------------------------- bits


def ones(x: Any) -> Any:
    """The number of bits that are 1: the sum of all bits."""
    return reduce(operator.add, [x >> number & 1 for number in range(x.bits)])


def leading_zeros(x: Any, _: Any) -> Any:
    """The zeros before the first bit that is 1, to which all bits after it are set."""
    value, step = x.unsigned(), 1
    while step < x.bits:
        value, step = value | value >> step, 2 * step
    return ones(~value.to(x.type))


def trailing_zeros(x: Any, _: Any) -> Any:
    """The zeros after the last bit that is 1, which are ones in the number before."""
    return ones(~x & x - 1)


def reversed_groups(size: int) -> Formula:
    """The groups of so many bits in the opposite order."""

    def formula(x: Any) -> Any:
        bits = x.unsigned()
        groups = [bits >> start & (1 << size) - 1 for start in range(0, x.bits, size)]
        moved = [each << x.bits - size * number for number, each in enumerate(groups, 1)]
        return reduce(operator.or_, moved).to(x.type)

    return formula


def funnel_shift(is_left: bool) -> Formula:
    """The upper (or lower) half of two words, shifted; one word in two steps, each by less than its bits."""

    def formula(x: Any, y: Any, count: Any) -> Any:
        high, low, rest = x.unsigned(), y.unsigned(), count.unsigned() % x.bits
        others = rest.constant(x.bits - 1) - rest
        result = high << rest | low >> 1 >> others if is_left else high << 1 << others | low >> rest
        return result.to(x.type)

    return formula


# ---------------------------------------------------------------------------------------------------------- overflow


def _signed_product(x: Any, y: Any) -> tuple[Any, Any]:
    """If a product is too large, its quotient by one factor is not the other one."""
    product, is_trivial = x * y, (x == 0) | (x == -1)
    is_outside = product / is_trivial.either(x.constant(1), x) != y
    return product, ~is_trivial & is_outside | (x == -1) & (y == -1 << x.bits - 1)


def _unsigned_product(x: Any, y: Any) -> tuple[Any, Any]:
    left, right = x.unsigned(), y.unsigned()
    product, is_zero = left * right, x == 0
    is_outside = product / is_zero.either(left.constant(1), left) != right
    return product.to(x.type), ~is_zero & is_outside


OVERFLOWING: dict[str, Formula] = {
    "sadd": lambda x, y: (total := x + y, (x ^ total) & (y ^ total) < 0),
    "ssub": lambda x, y: (difference := x - y, (x ^ y) & (x ^ difference) < 0),
    "smul": _signed_product,
    "uadd": with_carry,
    "usub": lambda x, y: (x - y, x.unsigned() < y.unsigned()),
    "umul": _unsigned_product,
}
"""The results of operations, and whether the exact ones are out of the range of the type."""


def saturating(name: str) -> Formula:
    """The result of a row of `OVERFLOWING`, or the nearest number of its type: by the sign of the first operand."""

    def formula(x: Any, y: Any) -> Any:
        lowest, highest = (-1 << x.bits - 1, ~(-1 << x.bits - 1)) if name[0] == "s" else (0, -1)
        result, is_outside = OVERFLOWING[name](x, y)
        nearest = x.constant(highest if name == "uadd" else lowest)
        if name[0] == "s":
            nearest = (x < 0).either(nearest, x.constant(highest))
        return is_outside.either(nearest, result)

    return formula
