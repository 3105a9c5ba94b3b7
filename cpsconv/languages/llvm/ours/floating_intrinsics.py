"""Intrinsics on floating numbers, by operations of the program: classes and conversions."""

from __future__ import annotations

import math
from typing import Any

from cpsconv.core.ir import DOUBLE, FLOAT, LONG_DOUBLE, Constant, Scalar, Value, integer_type
from cpsconv.core.operations.types import range_of
from cpsconv.languages.formulas import Formula, Number, has_sign
from cpsconv.languages.llvm.constants import number_of
from cpsconv.languages.llvm.ours.object_types import Inexpressible


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
    is_infinite, is_negative, is_zero = magnitude == math.inf, has_sign(x), x == 0
    found = x != x if bits & 3 else is_zero.constant(0)
    kinds = is_infinite, (magnitude >= least) & ~is_infinite, (magnitude < least) & ~is_zero, is_zero
    for number, kind in enumerate(kinds):
        if bits >> 2 + number & 1:
            found |= kind & is_negative
        if bits >> 9 - number & 1:
            found |= kind & ~is_negative
    return found
