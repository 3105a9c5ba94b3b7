"""Expansions: operations expressed by others.

The rows of the table have the expansions that hold for operands of all types. `ON_SOME_OPERANDS` has those on operands
that no back end need spell; a back end can choose the others for the operands to which its own spelling does not apply.
An expansion takes `make`, which creates the value of another operation, or of a conversion, and the operands:
``make("-", x, y)``, ``make(LONG, x)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cpsconv.core.ir import (
    BOOL,
    DOUBLE,
    INT,
    INT128,
    LONG,
    UNSIGNED,
    UNSIGNED_INT128,
    UNSIGNED_LONG,
    Constant,
    Primitive,
    Scalar,
    Value,
)
from cpsconv.core.operations.table import CONVERT, PRIMITIVES, Expansion
from cpsconv.core.operations.types import is_float, is_integer, scalar_type, truncation_type, wrap, zero

Make = Callable[..., Value]

Choice = Callable[[Primitive], "Expansion | None"]
"""The function that gives the expansion of a primitive, or None if its operands are such that back ends spell it."""

Choices = Mapping[str, Choice]
"""The choices for the operations that a back end does not always spell."""


def widened(op: str, wide: Scalar) -> Expansion:
    """The operation on operands of a wider type: ``short(int(x) + int(y))``."""

    def expansion(make: Make, *operands: Value) -> Value:
        value = make(op, *[make(wide, operand) for operand in operands])
        return make(operands[0].type, value) if value.type is wide else value

    return expansion


def negated(make: Make, x: Value) -> Value:
    """``-x`` is ``0 - x`` (of floating numbers ``-0.0 - x``, but for the sign of a NaN)."""
    return make("-", Constant(scalar_type(x), -0.0) if is_float(x.type) else _number(x, 0), x)


def equivalent(make: Make, x: Value, y: Value) -> Value:
    """``x == y`` is ``x & y | !(x | y)``, for truth values."""
    return make("|", make("&", x, y), make("!", make("|", x, y)))


def multiplied(make: Make, x: Value, count: Value) -> Value:
    """``x << 3`` is ``x * 8``, if the count is constant."""
    assert isinstance(count, Constant)
    return make("*", x, _number(x, 1 << int(count.value) % scalar_type(x).bits))


# ------------------------------------------------------------------------------------------ expansions on some operands


def spelled(each: Primitive) -> Expansion | None:
    """No expansion: the back end spells the operation on all operands."""
    return None


def on_bool(expansion: Expansion) -> Choice:
    """The expansion of an operation on truth values."""
    return lambda each: expansion if each.operands[0].type is BOOL else None


def on_machine_integers(each: Primitive) -> Expansion | None:
    """The expansion of an operation that back ends spell on numbers of other types only."""
    return PRIMITIVES[each.op].expansion if is_integer(each.type) else None


def reduced(shift: Primitive) -> Expansion | None:
    """The expansion of a shift by a count that may exceed the width, which is taken modulo it: ``x << (n & 31)``."""
    bits = shift.type.bits
    count = shift.operands[1]
    op, factors = (count.op, count.operands) if isinstance(count, Primitive) else ("&", (count,))
    is_modulo = op == "%" and count.type is UNSIGNED and _is_below(factors[1], bits + 1)
    if is_modulo or (op == "&" and any(_is_below(each, bits) for each in factors)):
        return None
    return lambda make, x, n: make(shift.op, x, counted(make, n, bits))


def _is_below(value: Value, limit: int) -> bool:
    return isinstance(value, Constant) and 0 <= int(value.value) < limit


def counted(make: Make, n: Value, width: int) -> Value:
    """The count of a shift modulo the width: ``n & 31``, or ``unsigned(n % 24 + 24) % 24u``."""
    type = scalar_type(n)
    if type.bits < INT.bits:
        type = INT if type.signed else UNSIGNED
        n = make(type, n)
    if width & (width - 1) == 0:
        return make("&", n, _number(n, width - 1))
    rest = make("%", n, _number(n, width))
    if type.signed:
        rest = make("+", rest if type is INT else make(INT, rest), Constant(INT, width))
    return make("%", rest if type is UNSIGNED else make(UNSIGNED, rest), Constant(UNSIGNED, width))


def tested(conversion: Primitive) -> Expansion | None:
    """The expansion of a conversion to `bool`: ``x != 0``."""
    is_test = conversion.type is BOOL and conversion.operands[0].type is not BOOL
    return (lambda make, x: make("!=", x, zero(scalar_type(x)))) if is_test else None


def narrowed(conversion: Primitive) -> Expansion | None:
    """The expansion of a conversion to `bool`, or from a floating type to a narrow integer type: ``short(int(x))``."""
    target, through = conversion.type, truncation_type(conversion.type)
    if through is target or not is_integer(target) or not is_float(conversion.operands[0].type):
        return tested(conversion)
    return lambda make, x: make(target, make(through, x))


def composed(conversion: Primitive) -> Expansion | None:
    """The same, or to an integer type for which x86-64 has no instruction, of which parts are converted."""
    source, target = conversion.operands[0].type, conversion.type
    if not is_float(source) or target not in _OF_PARTS:
        return narrowed(conversion)
    return _OF_PARTS[target] if source is DOUBLE else lambda make, x: make(target, make(DOUBLE, x))


def _unsigned_long(make: Make, x: Value) -> Value:
    """A number from 2**63 on is converted less 2**63, and the first bit of the result set."""
    half = Constant(DOUBLE, 2.0**63)
    is_large = make(">=", x, half)
    rest = make(LONG, make("-", x, make("*", make(DOUBLE, is_large), half)))
    return make("^", make(UNSIGNED_LONG, rest), make("<<", make(UNSIGNED_LONG, is_large), Constant(INT, 63)))


def _unsigned_int128(make: Make, x: Value) -> Value:
    """The upper half and the rest are converted."""
    unit = Constant(DOUBLE, 2.0**64)
    high = make(UNSIGNED_LONG, make("/", x, unit))
    low = make(UNSIGNED_LONG, make("-", x, make("*", make(DOUBLE, high), unit)))
    return make("|", make("<<", make(UNSIGNED_INT128, high), Constant(INT, 64)), make(UNSIGNED_INT128, low))


def _int128(make: Make, x: Value) -> Value:
    """The magnitude is converted."""
    sign = make("neg", make(INT128, make("<", x, Constant(DOUBLE, 0.0))))
    return make("-", make("^", make(INT128, make(UNSIGNED_INT128, make("abs", x))), sign), sign)


_OF_PARTS: Mapping[Scalar, Expansion] = {
    UNSIGNED_LONG: _unsigned_long,
    UNSIGNED_INT128: _unsigned_int128,
    INT128: _int128,
}
"""The conversions from `double` to such types."""

ON_SOME_OPERANDS: Mapping[str, Choice] = {
    CONVERT: composed,
    "<<": reduced,
    ">>": reduced,
    "^": on_bool(lambda make, x, y: make("!=", x, y)),
    "abs": on_machine_integers,
}
"""The expansions that back ends need not choose themselves, by operations: others remain for them."""


def _number(like: Value, number: int) -> Constant:
    """The integer of the type of the value `like`."""
    return Constant(scalar_type(like), wrap(scalar_type(like), number))
