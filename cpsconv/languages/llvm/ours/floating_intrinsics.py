"""Intrinsics on floating numbers, by operations of the program: extremes, classes and conversions."""

from __future__ import annotations

import math

from cpsconv.core.ir import BOOL, DOUBLE, FLOAT, LONG_DOUBLE, Constant, Scalar, Value, integer_type
from cpsconv.core.operations.types import scalar_type, zero
from cpsconv.languages.arithmetic import Compute, Maker
from cpsconv.languages.llvm.constants import number_of
from cpsconv.languages.llvm.ours.object_types import Inexpressible


def extreme(op: str) -> Compute:
    """The number that compares so with the other one, or is equal to it and the first; a NaN is no number."""
    return lambda make, x, y: make.either(make("|", make(f"{op}=", x, y), make("!=", y, y)), x, y)


def extreme_by_sign(op: str, is_number: bool) -> Compute:
    """Likewise, where -0.0 is less than 0.0, and NaN is the result for a NaN, unless the result is a number."""

    def chosen(make: Maker, x: Value, y: Value) -> Value:
        equal = make.either(_is_negative(make, x), *((y, x) if op == ">" else (x, y)))
        number = make.either(make("==", x, y), equal, make.either(make(op, x, y), x, y))
        first, second = (y, x) if is_number else (x, y)
        return make.either(make("!=", x, x), first, make.either(make("!=", y, y), second, number))

    return chosen


def _is_negative(make: Maker, x: Value) -> Value:
    """Whether the sign of a number, also of zero, is negative."""
    type = scalar_type(x)
    return make("<", make("copysign", make.convert(type, Constant(DOUBLE, 1.0)), x), zero(type))


def nearest(is_signed: bool) -> Compute:
    """The conversion of a floating number to the nearest integer of the type; that of NaN is 0."""

    def converted(type: Scalar, make: Maker, x: Value) -> Value:
        if x.type not in (DOUBLE, FLOAT) or type.bits > 64:
            raise Inexpressible(f"the conversion of `{x.type}` to the nearest `{type}`")
        lowest, bound = (-1 << type.bits - 1, 1 << type.bits - 1) if is_signed else (0, 1 << type.bits)
        value = make.convert(type, make.convert(integer_type(type.bits, signed=is_signed), x))
        for op, limit, result in (("<", lowest, lowest), (">=", bound, bound - 1)):
            is_outside = make(op, x, Constant(scalar_type(x), float(limit)))
            value = make.either(is_outside, _constant(type, result), value)
        return make.either(make("==", x, x), value, zero(type))

    return converted


def _constant(type: Scalar, value: int) -> Constant:
    """The constant of a signed type with the bits of the value."""
    return Constant(type, value - (1 << type.bits) if value >= 1 << type.bits - 1 else value)


_LEAST: dict[Scalar, Value] = {
    DOUBLE: Constant(DOUBLE, 2.0**-1022),
    FLOAT: Constant(FLOAT, 2.0**-126),
    LONG_DOUBLE: number_of(LONG_DOUBLE, "0xK00018000000000000000") or zero(LONG_DOUBLE),
}
"""The smallest normal numbers."""


def classified(make: Maker, x: Value, mask: Value) -> Value:
    """Whether a number is of one of the classes that are bits of the mask: NaN, infinite, normal, subnormal, zero."""
    type = scalar_type(x)
    if type not in _LEAST or not isinstance(mask, Constant):
        raise Inexpressible(f"the class of a number of the type `{type}`")
    bits, magnitude = int(mask.value), make("abs", x)
    if bits & 3 in (1, 2):
        raise Inexpressible("the class of NaNs that are signalling, or are not,")
    infinite = make("==", magnitude, make.convert(type, Constant(DOUBLE, math.inf)))
    is_negative, is_zero = _is_negative(make, x), make("==", x, zero(type))
    is_small = make("&", make("<", magnitude, _LEAST[type]), make("!", is_zero))
    is_normal = make("&", make(">=", magnitude, _LEAST[type]), make("!", infinite))
    found: Value = make("!=", x, x) if bits & 3 else Constant(BOOL, False)
    for number, kind in enumerate((infinite, is_normal, is_small, is_zero)):
        negative, positive = bits >> 2 + number & 1, bits >> 9 - number & 1
        if negative and positive:
            found = make("|", found, kind)
        elif negative or positive:
            sign = is_negative if negative else make("!", is_negative)
            found = make("|", found, make("&", kind, sign))
    return found
