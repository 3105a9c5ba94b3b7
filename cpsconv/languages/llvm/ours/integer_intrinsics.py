"""Intrinsics on integers, by operations of the program: bits, extremes, overflow and saturation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce

from cpsconv.core.ir import INT, Constant, Scalar, Value, integer_type
from cpsconv.core.operations.types import scalar_type, zero
from cpsconv.languages.arithmetic import Compute, Maker

WithOverflow = Callable[[Maker, Value, Value], "list[Value]"]
"""The function from operands to a result, and whether the exact one is out of the range of its type."""


def compared(is_signed: bool) -> Compute:
    """-1, 0 or 1 of a type, as the first operand is less than, equal to or greater than the second one."""

    def computed(type: Scalar, make: Maker, *operands: Value) -> Value:
        x, y = operands if is_signed else map(make.unsigned, operands)
        return make("-", make.convert(type, make(">", x, y)), make.convert(type, make("<", x, y)))

    return computed


# -------------------------------------------------------------------------------------------------------------- bits


def ones(make: Maker, x: Value) -> Value:
    """The number of bits that are 1: the sum of all bits."""
    type = scalar_type(x)
    bits = [make("&", make(">>", x, Constant(INT, number)), Constant(type, 1)) for number in range(type.bits)]
    return reduce(partial(make, "+"), bits)


def leading_zeros(make: Maker, x: Value, _: Value) -> Value:
    """The zeros before the first bit that is 1, to which all bits after it are set."""
    value, step = make.unsigned(x), 1
    while step < scalar_type(x).bits:
        value = make("|", value, make(">>", value, Constant(INT, step)))
        step *= 2
    return ones(make, make("~", make.convert(scalar_type(x), value)))


def trailing_zeros(make: Maker, x: Value, _: Value) -> Value:
    """The zeros after the last bit that is 1, which are ones in the number before."""
    return ones(make, make("&", make("~", x), make("-", x, Constant(scalar_type(x), 1))))


def reversed_groups(size: int) -> Compute:
    """The groups of so many bits in the opposite order."""

    def computed(make: Maker, x: Value) -> Value:
        bits, value = scalar_type(x).bits, make.unsigned(x)
        mask = Constant(scalar_type(value), (1 << size) - 1)
        groups = [make("&", make(">>", value, Constant(INT, number)), mask) for number in range(0, bits, size)]
        moved = [make("<<", each, Constant(INT, bits - size * n)) for n, each in enumerate(groups, 1)]
        return make.convert(scalar_type(x), reduce(partial(make, "|"), moved))

    return computed


def funnel_shift(is_left: bool) -> Compute:
    """The upper (or lower) half of two words, shifted; one word in two steps, each by less than its bits."""

    def computed(make: Maker, x: Value, y: Value, count: Value) -> Value:
        bits, one = scalar_type(x).bits, Constant(INT, 1)
        high, low, count = map(make.unsigned, (x, y, count))
        rest = make("%", count, Constant(scalar_type(count), bits))
        others = make("-", Constant(scalar_type(count), bits - 1), rest)
        if is_left:
            high, low = make("<<", high, rest), make(">>", make(">>", low, one), others)
        else:
            high, low = make("<<", make("<<", high, one), others), make(">>", low, rest)
        return make.convert(scalar_type(x), make("|", high, low))

    return computed


# ---------------------------------------------------------------------------------------------------------- overflow


def _unsigned_sum(make: Maker, x: Value, y: Value) -> list[Value]:
    total = make("+", x, y)
    return [total, make("<", make.unsigned(total), make.unsigned(x))]


def _unsigned_difference(make: Maker, x: Value, y: Value) -> list[Value]:
    return [make("-", x, y), make("<", make.unsigned(x), make.unsigned(y))]


def _signed_sum(make: Maker, x: Value, y: Value) -> list[Value]:
    """The sum has another sign than both operands if it is too large."""
    total = make("+", x, y)
    return [total, make("<", make("&", make("^", x, total), make("^", y, total)), zero(scalar_type(x)))]


def _signed_difference(make: Maker, x: Value, y: Value) -> list[Value]:
    difference = make("-", x, y)
    return [difference, make("<", make("&", make("^", x, y), make("^", x, difference)), zero(scalar_type(x)))]


def _product(is_signed: bool) -> WithOverflow:
    """The product is computed with twice the bits, as far as there are so many."""

    def computed(make: Maker, x: Value, y: Value) -> list[Value]:
        bits = scalar_type(x).bits
        if bits > 64:
            return (_long_signed_product if is_signed else _long_product)(make, x, y)
        narrow, wide = (integer_type(each, signed=is_signed) for each in (bits, 2 * bits))
        exact = make("*", *(make.convert(wide, make.convert(narrow, each)) for each in (x, y)))
        result = make.convert(narrow, exact)
        return [make.convert(scalar_type(x), result), make("!=", make.convert(wide, result), exact)]

    return computed


def _long_product(make: Maker, x: Value, y: Value) -> list[Value]:
    """If an unsigned product is too large, its quotient by one factor is not the other one."""
    left, right = make.unsigned(x), make.unsigned(y)
    type, product = scalar_type(left), make("*", left, right)
    is_zero = make("==", left, zero(type))
    quotient = make("/", product, make.either(is_zero, Constant(type, 1), left))
    return [make.convert(scalar_type(x), product), make("&", make("!", is_zero), make("!=", quotient, right))]


def _long_signed_product(make: Maker, x: Value, y: Value) -> list[Value]:
    """The product of the magnitudes, whose sign must be that of the result."""
    none = zero(scalar_type(x))
    magnitude, is_outside = _long_product(make, make("abs", x), make("abs", y))
    is_negative = make("^", make("<", x, none), make("<", y, none))
    result = make.either(is_negative, make("neg", magnitude), magnitude)
    has_other_sign = make("^", make("<", result, none), make("&", is_negative, make("!=", magnitude, none)))
    return [result, make("|", is_outside, has_other_sign)]


OVERFLOWING: dict[str, WithOverflow] = {
    "sadd": _signed_sum,
    "ssub": _signed_difference,
    "smul": _product(is_signed=True),
    "uadd": _unsigned_sum,
    "usub": _unsigned_difference,
    "umul": _product(is_signed=False),
}
"""The results of operations, and whether they overflow."""


def saturating(name: str) -> Compute:
    """The result of a row of `OVERFLOWING`, or the nearest number of its type: by the sign of the first operand."""

    def computed(make: Maker, x: Value, y: Value) -> Value:
        type = scalar_type(x)
        result, is_outside = OVERFLOWING[name](make, x, y)
        if name[0] == "u":
            return make.either(is_outside, Constant(type, -1 if name == "uadd" else 0), result)
        lowest = -1 << type.bits - 1
        limit = make.either(make("<", x, zero(type)), Constant(type, lowest), Constant(type, ~lowest))
        return make.either(is_outside, limit, result)

    return computed
