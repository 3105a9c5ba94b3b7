"""The properties of types: their kinds, and the ranges of machine integers.

The type `integer` of all integers is no machine integer: `is_integer` is false for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeGuard

from cpsconv.core.floating import format_class
from cpsconv.core.ir import (
    BOOL,
    INT,
    INTEGER,
    LONG,
    LONG_DOUBLE,
    PTR,
    SCALARS,
    UNSIGNED,
    Array,
    Constant,
    ContinuationType,
    ObjectType,
    Scalar,
    Type,
    Value,
    innermost,
)

_NO_NAMES: Mapping[str, str] = {}
_names: ContextVar[Mapping[str, str]] = ContextVar("type_names", default=_NO_NAMES)


@contextmanager
def naming_types(names: Mapping[str, str]) -> Iterator[None]:
    """Name these types of the program in messages about a run as the source language does, within the block."""
    token = _names.set(names)
    try:
        yield
    finally:
        _names.reset(token)


def type_title(type: Type | ObjectType) -> str:
    """The name of a type in the messages about a run."""
    if isinstance(type, ContinuationType):
        return type.with_titles(type_title)
    if isinstance(type, Array):
        element, lengths = innermost(type)
        return f"{type_title(element)}{lengths}"
    return _names.get().get(str(type), str(type))


def is_integer(type: Type) -> bool:
    """Whether the type is a machine integer type. (`bool` and `integer` are not.)"""
    return isinstance(type, Scalar) and type.kind == "integer"


def is_index(type: Type) -> bool:
    """Whether the type is that of an index or a number of elements: a machine integer type of at most 64 bits."""
    return isinstance(type, Scalar) and type.kind == "integer" and type.bits <= PTR.bits


def is_float(type: Type) -> bool:
    """Whether the type is `float`, `double`, `long double` or a further floating type."""
    return isinstance(type, Scalar) and type.kind == "float"


def is_mathematical(type: Type) -> bool:
    """Whether mathematical functions take the type: a floating type, except that of 128 bits."""
    return isinstance(type, Scalar) and 0 < type.digits <= LONG_DOUBLE.digits


def is_computed(type: Type) -> bool:
    """Whether the numbers of the floating type are `Floating`, since Python's floats do not contain them."""
    return isinstance(type, Scalar) and type.digits not in (0, 24, 53)


def is_foreign(type: Type) -> bool:
    """Whether the type is foreign."""
    return isinstance(type, Scalar) and type.kind == "foreign"


def is_whole(type: Type) -> bool:
    """Whether the type is `integer` or a machine integer type."""
    return is_integer(type) or type is INTEGER


def is_arithmetic(type: Type) -> bool:
    """Whether the type is `integer`, a machine integer type or a floating type."""
    return isinstance(type, Scalar) and type.kind in ("integer", "unbounded", "float")


def is_bits(type: Type) -> bool:
    """Whether the type is `bool` or an integer type."""
    return isinstance(type, Scalar) and type.kind in ("integer", "bool")


def is_bool(type: Type) -> bool:
    """Whether the type is `bool`."""
    return type is BOOL


def is_data(type: Type) -> bool:
    """Whether the type is `bool`, a machine integer type or a floating type."""
    return isinstance(type, Scalar) and type.kind in ("integer", "float", "bool")


def is_storable(type: Type) -> TypeGuard[Scalar]:
    """Whether memory can contain values of the type: all data but integers of odd widths, and `ptr`."""
    return type is PTR or is_float(type) or (is_data(type) and isinstance(type, Scalar) and type.name in SCALARS)


def is_comparable(type: Type) -> bool:
    """Whether comparisons take values of the type: all data, `ptr` and `integer`."""
    return is_data(type) or type in (PTR, INTEGER)


def is_convertible(source: Type, target: Type) -> bool:
    """Whether there is a conversion.

    Between all data; between `ptr` and machine integers of at most 64 bits, and from `ptr` to `bool`; between `integer`
    and machine integers or `bool`. A conversion to `integer` is exact, one from `integer` keeps the lowest bits, as
    between machine integers.
    """
    if source is INTEGER or target is INTEGER:
        return all(type is INTEGER or is_bits(type) for type in (source, target))
    if source is PTR:
        return target is PTR or target is BOOL or is_index(target)
    return is_data(source) and (is_data(target) or (target is PTR and is_index(source)))


def scalar_type(value: Value) -> Scalar:
    """The type of a value that is no function or continuation."""
    assert isinstance(value.type, Scalar)
    return value.type


def zero(type: Scalar) -> Constant:
    """The zero of a type of data or of `ptr`."""
    if is_computed(type):
        return Constant(type, format_class(type.bits, type.digits).of(0))
    return Constant(type, {"float": 0.0, "bool": False}.get(type.kind, 0))


def range_of(type: Scalar) -> tuple[int, int]:
    """The smallest and the largest integer of an integer type."""
    return (-1 << type.bits - 1, (1 << type.bits - 1) - 1) if type.signed else (0, (1 << type.bits) - 1)


def contains(wide: Scalar, narrow: Scalar) -> bool:
    """Whether every integer of the type `narrow` is an integer of the type `wide`."""
    (lowest, highest), (least, greatest) = range_of(wide), range_of(narrow)
    return lowest <= least and greatest <= highest


def truncation_type(target: Scalar) -> Scalar:
    """The type to which a floating number is truncated before it is converted to the integer type `target`.

    It is that of an instruction of x86-64, or of a function for larger integers.
    """
    return target if target.bits > INT.bits else LONG if target is UNSIGNED else INT


def wrap(type: Scalar, value: int) -> int:
    """The integer of the type that is congruent to `value` modulo ``2 ** type.bits`` (two's complement)."""
    value &= (1 << type.bits) - 1
    return value - (1 << type.bits) if type.signed and value >> (type.bits - 1) else value
