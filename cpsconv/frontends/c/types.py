"""C's arithmetic types: their spellings, promotions and conversions (C17 6.2.5, 6.3.1 and 6.7.2).

The subset has the scalar types of CPS programs only; `long long` is `LONG`, as in the ABI of x86-64 Linux.
"""

from __future__ import annotations

from functools import cache

from cpsconv.ir import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    SHORT,
    SIGNED_CHAR,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    VOID,
    Constant,
    Scalar,
    Value,
)
from cpsconv.operations.table import OPERATIONS
from cpsconv.operations.types import is_float, wrap

# ------------------------------------------------------------------------------------------------------ specifiers

_SPELLINGS = {
    VOID: "void",
    BOOL: "_Bool",
    CHAR: "char",
    SIGNED_CHAR: "signed char",
    UNSIGNED_CHAR: "unsigned char",
    SHORT: "short, short int, signed short, signed short int",
    UNSIGNED_SHORT: "unsigned short, unsigned short int",
    INT: "int, signed, signed int",
    UNSIGNED: "unsigned, unsigned int",
    LONG: "long, long int, signed long, signed long int, long long, long long int, signed long long, "
    "signed long long int",
    UNSIGNED_LONG: "unsigned long, unsigned long int, unsigned long long, unsigned long long int",
    FLOAT: "float",
    DOUBLE: "double",
}  # C17 6.7.2, paragraph 2

SPECIFIED_TYPES = {
    tuple(sorted(spelling.split())): type
    for type, spellings in _SPELLINGS.items()
    for spelling in spellings.split(", ")
}
"""The type that a list of type specifiers denotes, by the sorted specifiers: their order is free in C."""

TYPE_SPECIFIERS = frozenset(word for words in SPECIFIED_TYPES for word in words)
"""The keywords that are type specifiers."""

UNKNOWN = Scalar("unknown", "void")
"""The type of an erroneous expression, or of a declaration that is erroneous or not supported yet."""

# ------------------------------------------------------------------------------------------------------ conversions

_RANKS = {type: rank for rank, type in enumerate([INT, UNSIGNED, LONG, UNSIGNED_LONG, FLOAT, DOUBLE])}
"""The promoted types in the order of the usual arithmetic conversions: the operand of lower rank is converted."""

_SIGNIFICANT_BITS = {FLOAT: 24, DOUBLE: 53}


def type_of(value: Value) -> Scalar:
    """The type of a value of the C subset."""
    assert isinstance(value.type, Scalar)
    return value.type


def promoted(type: Scalar) -> Scalar:
    """The type after C's integer promotions, which widen integers narrower than `int` to `int`."""
    return INT if type.bits < INT.bits else type


def argument_promoted(type: Scalar) -> Scalar:
    """The type after C's default argument promotions."""
    return DOUBLE if type is FLOAT else promoted(type)


def common_type(left: Scalar, right: Scalar) -> Scalar:
    """The common type of two operands under C's usual arithmetic conversions."""
    if left is right:
        return promoted(left)
    return max(promoted(left), promoted(right), key=_RANKS.__getitem__)


@cache
def operand_types(op: str, left: Scalar, right: Scalar) -> tuple[Scalar, Scalar] | None:
    """The types to which C converts the operands of a binary operator: their common type, or their promoted types.

    None if an operand has a floating type and the operator takes integers only.
    """
    row = OPERATIONS[op]
    if row.on_floats is None and (is_float(left) or is_float(right)):
        return None
    if row.kind == "shift":
        return promoted(left), promoted(right)
    common = common_type(left, right)
    return common, common


def zero_like(value: Value) -> Constant:
    """The zero of the arithmetic type of `value`."""
    type = type_of(value)
    return Constant(type, 0.0 if is_float(type) else 0)


def negated(constant: Constant) -> Constant:
    """The constant with the opposite sign, of the same arithmetic type."""
    value = constant.value
    assert not isinstance(value, str)
    return Constant(constant.type, -value if isinstance(value, float) else wrap(constant.type, -value))


def converted_constant(type: Scalar, constant: Constant) -> Constant | None:
    """The constant converted to `type` as in C; None if it is a string, or if the result is rounded or undefined."""
    value = constant.value
    if isinstance(value, str):
        return None
    if type is BOOL:
        return Constant(BOOL, value != 0)
    if isinstance(value, float):
        if type is DOUBLE:
            return Constant(DOUBLE, value)
        fits = type.kind == "integer" and abs(value) < 1 << 64 and wrap(type, int(value)) == int(value)
        return Constant(type, int(value)) if fits else None
    if type.kind == "integer":
        return Constant(type, wrap(type, int(value)))
    is_exact = is_float(type) and abs(value) <= 1 << _SIGNIFICANT_BITS[type]
    return Constant(type, float(value)) if is_exact else None
