"""C's conversions of arithmetic types: which one applies, and what it makes of a constant."""

from __future__ import annotations

from functools import cache

from cpsconv.ir import BOOL, DOUBLE, FLOAT, INT, LONG, UNSIGNED, UNSIGNED_LONG, Constant, Scalar, Value
from cpsconv.operations.types import is_float, wrap

_RANKS = {INT: 0, UNSIGNED: 1, LONG: 2, UNSIGNED_LONG: 3, FLOAT: 4, DOUBLE: 5}
"""The types of arithmetic. Of two operands, the one of lower rank is converted: a `long` holds every `unsigned`."""

_SHIFTS = {"<<", ">>"}
_OF_INTEGERS = {"%", "&", "|", "^", *_SHIFTS}

_EXACT_BITS = {FLOAT: 24, DOUBLE: 53}


def type_of(value: Value) -> Scalar:
    """The type of a value of the C subset."""
    assert isinstance(value.type, Scalar)
    return value.type


def promoted(type: Scalar) -> Scalar:
    """C's integer promotions: what is narrower than an `int` becomes one."""
    return INT if type.bits < INT.bits else type


def common(left: Scalar, right: Scalar) -> Scalar:
    """C's usual arithmetic conversions: the type in which two operands are combined."""
    if left is right:
        return promoted(left)
    return max(promoted(left), promoted(right), key=_RANKS.__getitem__)


@cache
def operand_types(op: str, left: Scalar, right: Scalar) -> tuple[Scalar, Scalar] | None:
    """What C converts the operands of a binary operator to: to a common type, or each by itself for a shift.

    None if the operator takes integers only, and one of them is none.
    """
    if op in _OF_INTEGERS and (is_float(left) or is_float(right)):
        return None
    shared = common(left, right)
    return (promoted(left), promoted(right)) if op in _SHIFTS else (shared, shared)


def zero_like(value: Value) -> Constant:
    """The zero of the arithmetic type that a value has."""
    type = value.type
    assert isinstance(type, Scalar)
    return Constant(type, 0.0 if type.kind == "float" else 0)


def negated(constant: Constant) -> Constant:
    """The constant with the opposite sign, of the same arithmetic type."""
    value = constant.value
    assert not isinstance(value, str)
    return Constant(constant.type, -value if isinstance(value, float) else wrap(constant.type, -value))


def converted_constant(type: Scalar, constant: Constant) -> Constant | None:
    """The constant as C converts it to another type; None where the result would be rounded or is not defined."""
    value = constant.value
    if isinstance(value, str):
        return None
    if type is BOOL:
        return Constant(BOOL, value != 0)
    if type.kind == "integer":
        return _to_integer(type, value)
    if type.kind == "float" and _is_exact(type, value):
        return Constant(type, float(value))
    return None


def _is_exact(type: Scalar, value: int | float) -> bool:
    return type is DOUBLE if isinstance(value, float) else abs(value) <= 1 << _EXACT_BITS[type]


def _to_integer(type: Scalar, value: int | float) -> Constant | None:
    if not isinstance(value, float):
        return Constant(type, wrap(type, int(value)))
    if not abs(value) < 1 << 64 or wrap(type, int(value)) != int(value):
        return None
    return Constant(type, int(value))
