"""The Python functions that compute operations, chosen by the type of the first operand.

Integers are exact: a result out of the range of its type is not wrapped yet, and that of a `float` not rounded. If an
operand is `Undefined`, the Python operator that is applied to it raises the error; so each function applies an operator
to every operand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from operator import mul, truediv
from typing import Any

from cpsconv.core.floating import Floating, format_class
from cpsconv.core.ir import DOUBLE, INTEGER, LONG_DOUBLE, Scalar
from cpsconv.core.operations.mathematics import MATHEMATICS, platform_name
from cpsconv.core.operations.python_arithmetic import (
    divided,
    product_of_integers,
    truncated_quotient,
    truncated_remainder,
)
from cpsconv.core.operations.runtime_errors import DivisionError
from cpsconv.core.operations.types import is_computed, range_of, type_title

Function = Callable[..., Any]


def on_every_type(compute: Function) -> Callable[[Scalar], Function]:
    """The same function for operands of every type."""
    return lambda type: compute


def shifted(compute: Function) -> Callable[[Scalar], Function]:
    """A shift, with the count modulo the width of a machine integer."""

    def on(type: Scalar) -> Function:
        bits = type.bits
        return (lambda value, count: compute(value, count % bits)) if bits else compute

    return on


def product(type: Scalar) -> Function:
    """The product. Raises `SizeError` for an `integer` that is too large."""
    return product_of_integers if type is INTEGER else mul


def quotient(type: Scalar) -> Function:
    """The quotient: of integers rounded toward zero, of floating numbers that of IEEE 754."""
    if type.kind == "float":
        return truediv if is_computed(type) else divided
    return _trapping("/", truncated_quotient, type)


def remainder(type: Scalar) -> Function:
    """The remainder, with the sign of the dividend."""
    return _trapping("%", truncated_remainder, type)


def _trapping(symbol: str, compute: Function, type: Scalar) -> Function:
    """The quotient or remainder. Raises `DivisionError` for a zero divisor, or if the quotient is out of range.

    Both are undefined. Only the quotient of the smallest integer and -1 is out of range.
    """
    lowest = None if type is INTEGER else range_of(type)[0]

    def divide(left: int, right: int) -> int:
        if right == 0:
            raise DivisionError("division by zero")
        if right == -1 and left == lowest:
            raise DivisionError(f"{left} {symbol} {right} overflows `{type_title(type)}`")
        result: int = compute(left, right)
        return result

    return divide


def to_double(x: Floating) -> float:
    """The nearest number of 64 bits; a NaN has no payload, and the sign that x86-64 gives it."""
    return float(x) if x == x else -math.nan


@cache
def mathematical(name: str, type: Scalar) -> Function:
    """The mathematical function on operands of a floating type."""
    from cpsconv.core.operations.python_mathematics import (  # late: few programs call one
        long_double_function,
        platform_function,
    )

    if type is LONG_DOUBLE:
        return long_double_function(platform_name(name, type), MATHEMATICS[name])
    if is_computed(type):
        numbers = format_class(type.bits, type.digits)
        if name in ("copysign", "fma"):
            return getattr(numbers, name)  # type: ignore[no-any-return]
        function = mathematical(name, DOUBLE)
        return lambda *operands: numbers.of(function(*[to_double(+x) for x in operands]))
    return platform_function(platform_name(name, type), MATHEMATICS[name], type.bits)
