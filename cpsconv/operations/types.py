"""The properties of types: their kinds, and the ranges of integer types."""

from __future__ import annotations

from cpsconv.ir import BOOL, PTR, Scalar, Type


def is_integer(type: Type) -> bool:
    """Whether the type is an integer type. (`bool` is not.)"""
    return isinstance(type, Scalar) and type.kind == "integer"


def is_float(type: Type) -> bool:
    """Whether the type is `float` or `double`."""
    return isinstance(type, Scalar) and type.kind == "float"


def is_arithmetic(type: Type) -> bool:
    """Whether the type is an integer or floating type."""
    return isinstance(type, Scalar) and type.kind in ("integer", "float")


def is_bits(type: Type) -> bool:
    """Whether the type is `bool` or an integer type."""
    return isinstance(type, Scalar) and type.kind in ("integer", "bool")


def is_bool(type: Type) -> bool:
    """Whether the type is `bool`."""
    return type is BOOL


def is_data(type: Type) -> bool:
    """Whether the type is `bool` or arithmetic."""
    return isinstance(type, Scalar) and type.kind in ("integer", "float", "bool")


def is_storable(type: Type) -> bool:
    """Whether memory can contain values of the type, and comparisons take them: `bool`, arithmetic types and `ptr`."""
    return is_data(type) or type is PTR


def is_convertible(source: Type, target: Type) -> bool:
    """Whether there is a conversion: between all data, and between `ptr` and integers, and from `ptr` to `bool`."""
    if source is PTR:
        return target is PTR or is_bits(target)
    return is_data(source) and (is_data(target) or (target is PTR and is_integer(source)))


def range_of(type: Scalar) -> tuple[int, int]:
    """The smallest and the largest integer of an integer type."""
    return (-1 << type.bits - 1, (1 << type.bits - 1) - 1) if type.signed else (0, (1 << type.bits) - 1)


def contains(wide: Scalar, narrow: Scalar) -> bool:
    """Whether every integer of the type `narrow` is an integer of the type `wide`."""
    (lowest, highest), (least, greatest) = range_of(wide), range_of(narrow)
    return lowest <= least and greatest <= highest


def wrap(type: Scalar, value: int) -> int:
    """The integer of the type that is congruent to `value` modulo ``2 ** type.bits`` (two's complement)."""
    value &= (1 << type.bits) - 1
    return value - (1 << type.bits) if type.signed and value >> (type.bits - 1) else value
