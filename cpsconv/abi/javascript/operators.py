"""The operators of JavaScript on values, with their conversions. Names are those of ECMA-262."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import partial
from types import NoneType
from typing import Any

from cpsconv.abi.javascript.numbers import (
    number_to_string,
    power,
    quotient,
    remainder,
    string_to_bigint,
    string_to_number,
    to_int32,
    to_uint32,
)
from cpsconv.abi.javascript.values import NULL, Builtin, Closure, ErrorObject, Mark, Object, Thrown, thrown
from cpsconv.core.operations.python_formats import decimal_text

MAX_STRING = (1 << 29) - 24
MAX_BIGINT_BITS = 1 << 30
"""The largest string and BigInt that V8 creates."""

_TYPES = {NoneType: "undefined", bool: "boolean", float: "number", int: "bigint", str: "string", Mark: "object"}


def type_name(value: Any) -> str:
    """The result of ``typeof``."""
    return _TYPES.get(type(value)) or str(value.type_name)


def is_nullish(value: Any) -> bool:
    """Whether the value is ``undefined`` or ``null``."""
    return value is None or value is NULL


# ---------------------------------------------------------------------------------------------------- conversions


def to_boolean(value: Any) -> bool:
    """ToBoolean."""
    return False if value is NULL or value != value else bool(value)


def to_primitive(value: Any) -> Any:
    """ToPrimitive. Raises `NotImplementedError` for objects other than errors."""
    if not isinstance(value, Object):
        return value
    if isinstance(value, ErrorObject) and value.is_exact:
        return str(value)
    raise NotImplementedError


def to_number(value: Any) -> float:
    """ToNumber."""
    value = to_primitive(value)
    if isinstance(value, str):
        return string_to_number(value)
    if type(value) is int:
        raise thrown("TypeError", "Cannot convert a BigInt value to a number")
    return float("nan") if value is None else 0.0 if value is NULL else float(value)


def to_numeric(value: Any) -> float | int:
    """ToNumeric: a number or a BigInt."""
    value = to_primitive(value)
    return value if type(value) is int else to_number(value)


def to_string(value: Any) -> str:
    """ToString."""
    value = to_primitive(value)
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return number_to_string(value)
    if type(value) is int:
        return decimal_text(value)
    return {None: "undefined", NULL: "null", True: "true", False: "false"}[value]


# ------------------------------------------------------------------------------------------------------- equality


def strictly_equal(left: Any, right: Any) -> bool:
    """IsStrictlyEqual. Two `float`s compare as numbers do: NaN is not equal to itself, and -0 equals 0."""
    return type(left) is type(right) and bool(left == right)


def loosely_equal(left: Any, right: Any) -> bool:
    """IsLooselyEqual."""
    if type(left) is type(right):
        return bool(left == right)
    if is_nullish(left) or is_nullish(right):
        return is_nullish(left) and is_nullish(right)
    if isinstance(left, Object) and isinstance(right, Object):
        return False
    return _compared(operator.eq, left, right)


def _compared(compare: Callable[[Any, Any], bool], left: Any, right: Any) -> bool:
    """The comparison of two values as strings, if both are strings, or else as numbers. It is false for NaN."""
    left, right = to_primitive(left), to_primitive(right)
    if isinstance(left, str) and isinstance(right, str):
        return compare(left, right)
    if type(left) is int and isinstance(right, str):
        right = string_to_bigint(right)
    elif type(right) is int and isinstance(left, str):
        left = string_to_bigint(left)
    else:
        return compare(to_numeric(left), to_numeric(right))
    return left is not None and right is not None and compare(left, right)


# ----------------------------------------------------------------------------------------------------- arithmetic


def concatenation(*texts: str) -> str:
    """The strings, one after the other."""
    if sum(map(len, texts)) > MAX_STRING:
        raise thrown("RangeError", "Invalid string length")
    return "".join(texts)


def _sum(left: Any, right: Any) -> Any:
    left, right = to_primitive(left), to_primitive(right)
    if isinstance(left, str) or isinstance(right, str):
        return concatenation(to_string(left), to_string(right))
    return _arithmetic(operator.add, operator.add, left, right)


def _arithmetic(
    on_numbers: Callable[[float, float], float], on_bigints: Callable[[int, int], int], left: Any, right: Any
) -> float | int:
    left, right = to_numeric(left), to_numeric(right)
    if type(left) is not type(right):
        raise thrown("TypeError", "Cannot mix BigInt and other types, use explicit conversions")
    return on_numbers(left, right) if isinstance(left, float) else _limited(on_bigints(left, right))


def _on_integers(compute: Callable[[int, int], int]) -> Callable[[float, float], float]:
    return lambda left, right: float(to_int32(compute(to_int32(left), to_int32(right))))


def _limited(number: int) -> int:
    if number.bit_length() > MAX_BIGINT_BITS:
        raise _too_large()
    return number


def _too_large() -> Thrown:
    return thrown("RangeError", "Maximum BigInt size exceeded")


def _bigint_quotient(left: int, right: int) -> int:
    if not right:
        raise thrown("RangeError", "Division by zero")
    magnitude = abs(left) // abs(right)
    return magnitude if (left < 0) == (right < 0) else -magnitude


def _bigint_remainder(left: int, right: int) -> int:
    return left - right * _bigint_quotient(left, right)


def _bigint_power(base: int, exponent: int) -> int:
    if exponent < 0:
        raise thrown("RangeError", "Exponent must be non-negative", is_exact=False)
    if (abs(base).bit_length() - 1) * exponent > MAX_BIGINT_BITS:
        raise _too_large()
    return int(base**exponent) if abs(base) > 1 else base ** (exponent and 2 - exponent % 2)


def _bigint_shift(left: int, count: int) -> int:
    if count < 0:
        return left >> -count
    if left and left.bit_length() + count > MAX_BIGINT_BITS:
        raise _too_large()
    return left << count if left else 0


def _no_unsigned_shift(left: int, right: int) -> int:
    raise thrown("TypeError", "BigInts have no unsigned right shift, use >> instead")


def _in(key: Any, value: Any) -> bool:
    if isinstance(value, Object):
        raise NotImplementedError
    message = f"Cannot use 'in' operator to search for '{to_string(key)}' in {to_string(value)}"
    raise thrown("TypeError", message)


def _instance_of(value: Any, constructor: Any) -> bool:
    if not isinstance(constructor, Object):
        raise thrown("TypeError", "Right-hand side of 'instanceof' is not an object")
    if isinstance(constructor, Builtin) and isinstance(value, ErrorObject):
        return constructor.name in (value.name, "Error")
    if isinstance(value, Object) or not isinstance(constructor, (Builtin, Closure)):
        raise NotImplementedError
    return False


BINARY: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": _sum,
    "-": partial(_arithmetic, operator.sub, operator.sub),
    "*": partial(_arithmetic, operator.mul, operator.mul),
    "/": partial(_arithmetic, quotient, _bigint_quotient),
    "%": partial(_arithmetic, remainder, _bigint_remainder),
    "**": partial(_arithmetic, power, _bigint_power),
    "&": partial(_arithmetic, _on_integers(operator.and_), operator.and_),
    "|": partial(_arithmetic, _on_integers(operator.or_), operator.or_),
    "^": partial(_arithmetic, _on_integers(operator.xor), operator.xor),
    "<<": partial(_arithmetic, _on_integers(lambda left, count: left << (count & 31)), _bigint_shift),
    ">>": partial(
        _arithmetic,
        _on_integers(lambda left, count: left >> (count & 31)),
        lambda left, count: _bigint_shift(left, -count),
    ),
    ">>>": partial(
        _arithmetic, lambda left, count: float(to_uint32(left) >> (to_uint32(count) & 31)), _no_unsigned_shift
    ),
    "==": loosely_equal,
    "!=": lambda left, right: not loosely_equal(left, right),
    "<": partial(_compared, operator.lt),
    "<=": partial(_compared, operator.le),
    ">": partial(_compared, operator.gt),
    ">=": partial(_compared, operator.ge),
    "in": _in,
    "instanceof": _instance_of,
}
"""The binary operators. Each raises `Thrown`, or `NotImplementedError` for objects whose properties it would read."""


def negative(value: Any) -> float | int:
    """Minus the value. (Minus zero is a number other than zero; zero is the only BigInt zero.)"""
    return -to_numeric(value)


def complement(value: Any) -> float | int:
    """The bitwise complement."""
    number = to_numeric(value)
    return ~number if isinstance(number, int) else float(~to_int32(number))


UNARY: Mapping[str, Callable[[Any], Any]] = {"+": to_number, "-": negative, "~": complement}
"""The unary operators, except ``!`` and ``typeof``."""


def successor(number: float | int, step: int) -> float | int:
    """The number or BigInt plus 1 or -1."""
    return _limited(number + step) if isinstance(number, int) else number + step
