"""Expansions: operations expressed by others.

The rows of the table have the expansions that hold for operands of all types. A back end can choose these for the
operands to which its own spelling does not apply. Each function takes `make`, which creates the value of another
operation, or of a conversion, and the operands: ``make("-", x, y)``, ``make(LONG, x)``.
"""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.core.ir import INT, Constant, Primitive, Scalar, Value
from cpsconv.core.operations.types import is_float, is_integer, truncation_type, wrap

Make = Callable[..., Value]


def widened(op: str, wide: Scalar) -> Callable[..., Value]:
    """The operation on operands of a wider type: ``short(int(x) + int(y))``."""

    def expansion(make: Make, *operands: Value) -> Value:
        value = make(op, *[make(wide, operand) for operand in operands])
        return make(operands[0].type, value) if value.type is wide else value

    return expansion


def negated(make: Make, x: Value) -> Value:
    """``-x`` is ``0 - x`` (of floating numbers ``-0.0 - x``, but for the sign of a NaN)."""
    return make("-", Constant(_type(x), -0.0) if is_float(x.type) else _number(x, 0), x)


def exclusive(make: Make, x: Value, y: Value) -> Value:
    """``x ^ y`` is ``x != y``, for truth values."""
    return make("!=", x, y)


def equivalent(make: Make, x: Value, y: Value) -> Value:
    """``x == y`` is ``x & y | !(x | y)``, for truth values."""
    return make("|", make("&", x, y), make("!", make("|", x, y)))


def multiplied(make: Make, x: Value, count: Value) -> Value:
    """``x << 3`` is ``x * 8``, if the count is constant."""
    assert isinstance(count, Constant)
    return make("*", x, _number(x, 1 << int(count.value) % _type(x).bits))


def reduced(shift: Primitive) -> Callable[..., Value] | None:
    """The expansion of a shift by a count that may exceed the width, which is taken modulo it: ``x << (n & 31)``."""
    bits = shift.type.bits
    count = shift.operands[1]
    factors = count.operands if isinstance(count, Primitive) and count.op == "&" else (count,)
    if any(isinstance(each, Constant) and 0 <= int(each.value) < bits for each in factors):
        return None
    return lambda make, x, n: make(shift.op, x, make("&", n, _number(n, bits - 1)))


def narrowed(conversion: Primitive) -> Callable[..., Value] | None:
    """The expansion of a conversion from a floating type to a narrow integer type: ``short(int(x))``."""
    target, through = conversion.type, truncation_type(conversion.type)
    if through is target or not is_integer(target) or not is_float(conversion.operands[0].type):
        return None
    return lambda make, x: make(target, make(through, x))


def magnitude(make: Make, x: Value) -> Value:
    """``abs(x)`` is ``(x ^ sign) - sign``, where ``sign`` is ``x >> 31``; or `x` itself, if its type is unsigned."""
    if not _type(x).signed:
        return x
    sign = make(">>", x, Constant(INT, _type(x).bits - 1))
    return make("-", make("^", x, sign), sign)


def _type(value: Value) -> Scalar:
    assert isinstance(value.type, Scalar)
    return value.type


def _number(like: Value, number: int) -> Constant:
    """The integer of the type of the value `like`."""
    return Constant(_type(like), wrap(_type(like), number))
