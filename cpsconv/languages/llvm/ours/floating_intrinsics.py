"""Intrinsics on floating numbers, by operations of the program: extremes, classes and conversions."""

from __future__ import annotations

import math
from typing import Any

from cpsconv.core.ir import DOUBLE, FLOAT, LONG_DOUBLE, Constant, Scalar, Value, integer_type
from cpsconv.core.operations.types import range_of
from cpsconv.languages.llvm.constants import number_of
from cpsconv.languages.llvm.ours.numbers import Formula, Number
from cpsconv.languages.llvm.ours.object_types import Inexpressible


def extreme(name: str) -> Formula:
    """The larger or smaller number, ``max`` or ``min``, or the first of equal ones; a NaN is no number."""
    if name == "max":
        return lambda x, y: ((x >= y) | (y != y)).either(x, y)
    return lambda x, y: ((x <= y) | (y != y)).either(x, y)


def extreme_by_sign(name: str, is_number: bool) -> Formula:
    """Likewise, where -0.0 is less than 0.0, and NaN is the result for a NaN, unless the result is a number."""

    def formula(x: Any, y: Any) -> Any:
        is_first = (x > y) | (x == y) & ~_is_negative(x) if name == "max" else (x < y) | (x == y) & _is_negative(x)
        first, second = (y, x) if is_number else (x, y)
        return (x != x).either(first, (y != y).either(second, is_first.either(x, y)))

    return formula


def _is_negative(x: Number) -> Number:
    """Whether the sign of a number, also of zero, is negative."""
    return x.constant(1)("copysign", x) < 0


def nearest(is_signed: bool) -> Formula:
    """The conversion of a floating number to the nearest integer of the type; that of NaN is 0."""

    def formula(type: Scalar, x: Any) -> Any:
        if x.type not in (DOUBLE, FLOAT) or type.bits > 64:
            raise Inexpressible(f"the conversion of `{x.type}` to the nearest `{type}`")
        of_sign = integer_type(type.bits, signed=is_signed)
        lowest, highest = range_of(of_sign)
        value = x.to(of_sign).to(type)
        value = (x < lowest).either(value.constant(lowest), value)
        value = (x >= highest + 1).either(value.constant(highest), value)
        return (x == x).either(value, value.constant(0))

    return formula


_LEAST: dict[Scalar, Value] = {
    DOUBLE: Constant(DOUBLE, 2.0**-1022),
    FLOAT: Constant(FLOAT, 2.0**-126),
    LONG_DOUBLE: number_of(LONG_DOUBLE, "0xK00018000000000000000") or Constant(LONG_DOUBLE, 0),
}
"""The smallest normal numbers."""


def classified(x: Any, mask: Number) -> Any:
    """Whether a number is of one of the classes that are bits of the mask: NaN, infinite, normal, subnormal, zero."""
    if x.type not in _LEAST or not isinstance(mask.value, Constant):
        raise Inexpressible(f"the class of a number of the type `{x.type}`")
    bits, magnitude, least = int(mask.value.value), x("abs"), Number(x.make, _LEAST[x.type])
    if bits & 3 in (1, 2):
        raise Inexpressible("the class of NaNs that are signalling, or are not,")
    is_infinite, is_small = magnitude == math.inf, magnitude < least
    is_negative, is_zero = _is_negative(x), x == 0
    found = x != x if bits & 3 else is_zero.constant(0)
    for number, kind in enumerate((is_infinite, (magnitude >= least) & ~is_infinite, is_small & ~is_zero, is_zero)):
        negative, positive = bits >> 2 + number & 1, bits >> 9 - number & 1
        if negative or positive:
            found |= kind if negative and positive else kind & (is_negative if negative else ~is_negative)
    return found
