"""The semantics of primitives: `operation` gives the Python function that computes a primitive.

At run time an integer is an `int` in the range of its type, a `bool` is a `bool`, and a `float` or `double` is a Python
float; each operation rounds a `float` to 32 bits. The functions assume this for their operands and ensure it for their
results. If an operand is `Undefined`, Python's dispatch raises the error; so each function applies some operator to
every operand, even in a conversion that does not change the value.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from functools import cache
from typing import Any

from cpsconv.ir import FLOAT, Constant, Primitive, Scalar, Type
from cpsconv.operations.runtime_errors import DivisionError, ProgramError
from cpsconv.operations.table import PRIMITIVES, Operation, wraps
from cpsconv.operations.types import range_of, wrap

Function = Callable[..., Any]


def operation(primitive: Primitive) -> Function:
    """The function from the values of the operands to the value of the primitive."""
    operand = primitive.operands[0].type
    assert isinstance(operand, Scalar)
    return _operation(primitive.op, operand, primitive.type)


def fold(primitive: Primitive) -> Constant | None:
    """The value of a primitive whose operands are constants; None if one is not, or the primitive traps."""
    values = [
        normalised(operand.type, operand.value) for operand in primitive.operands if isinstance(operand, Constant)
    ]
    if len(values) < len(primitive.operands):
        return None
    try:
        return Constant(primitive.type, normalised(primitive.type, operation(primitive)(*values)))
    except ProgramError:
        return None


@cache
def _operation(op: str, operand: Scalar, result: Scalar) -> Function:
    row = PRIMITIVES[op]
    if row.kind == "conversion":
        return conversion(operand, result)
    if operand.kind == "integer":
        return _on_integers(row, operand)
    compute = row.on_floats if operand.kind == "float" else row.on_bools
    assert compute, f"{op} on {operand}"
    return _rounded(compute, row.arity) if operand is FLOAT and row.kind != "comparison" else compute


def normalised(type: Type, value: Any) -> Any:
    """`value` in the run-time representation of the type: an integer in range, a `float` rounded to 32 bits."""
    if not isinstance(type, Scalar) or type.kind == "string":
        return value
    if type.kind == "integer":
        return wrap(type, int(value))
    if type.kind == "float":
        return float(value) if type.bits == 64 else round_to_float(float(value))
    return bool(value)


# ------------------------------------------------------------------------------------------------------- integers


def _on_integers(row: Operation, type: Scalar) -> Function:
    compute, bits = row.on_integers, type.bits
    assert compute, f"{row.name} on {type}"
    if row.kind == "division":
        return _trapping_division(row, type)
    exact = (lambda left, count: compute(left, count % bits)) if row.kind == "shift" else compute
    return _wrapped(exact, type, row.arity) if wraps(row.name, type) else exact


def _wrapped(exact: Function, type: Scalar, arity: int | None = 1) -> Function:
    """`exact`, with its result wrapped to the type. (Most results are in range.)"""
    lowest, highest = range_of(type)

    def unary(operand: Any) -> int:
        result: int = exact(operand)
        return result if lowest <= result <= highest else wrap(type, result)

    def binary(left: Any, right: Any) -> int:
        result: int = exact(left, right)
        return result if lowest <= result <= highest else wrap(type, result)

    return unary if arity == 1 else binary if arity == 2 else lambda *operands: wrap(type, exact(*operands))


def _trapping_division(row: Operation, type: Scalar) -> Function:
    """The quotient or remainder. Raises `DivisionError` for a zero divisor, or if the quotient is out of range.

    Both are undefined behaviour in C. Only the quotient of the smallest integer and -1 is out of range.
    """
    lowest, _ = range_of(type)
    compute = row.on_integers
    assert compute

    def divide(left: int, right: int) -> int:
        if right == 0:
            raise DivisionError("division by zero")
        if right == -1 and left == lowest:
            raise DivisionError(f"{left} {row.symbol} {right} overflows `{type}`")
        result: int = compute(left, right)
        return result

    return divide


# --------------------------------------------------------------------------------------------------------- floats


def _rounded(compute: Function, arity: int | None) -> Function:
    """The operation on 32-bit floats: the 64-bit result, rounded, is the correctly rounded 32-bit result."""
    if arity == 2:
        return lambda left, right: round_to_float(compute(left, right))
    return lambda *operands: round_to_float(compute(*operands))


_FLOAT = struct.Struct("f")


def round_to_float(value: float) -> float:
    """The 32-bit float nearest to `value`, ties to even; infinite if `value` is out of range."""
    try:
        rounded: float = _FLOAT.unpack(_FLOAT.pack(value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


# ---------------------------------------------------------------------------------------------------- conversions


def conversion(source: Scalar, target: Scalar) -> Function:
    """The function that converts a value of type `source` to type `target`, like a cast in C."""
    if target.kind == "bool":
        return lambda value: value != 0
    if target.kind == "integer":
        return _float_to_integer(target) if source.kind == "float" else _wrapped(int, target)
    if target.bits == 64:
        return float
    return _float_to_float if source.kind == "float" else int_to_float


def _float_to_integer(target: Scalar) -> Function:
    """Truncation. Conversions that C leaves undefined (out of range, NaN) have the results of gcc's code for x86-64.

    The 32-bit and 64-bit forms of the instruction cvttsd2si give the smallest integer if the truncated value does not
    fit. `int` and narrower types take the lower bits of the 32-bit result, `unsigned` those of the 64-bit result. For
    `unsigned long`, 2**63 is subtracted from a value not below 2**63, and added again after the conversion.
    """

    def to_unsigned_long(value: float) -> int:
        result = _truncate(value, 64) if not value >= 2.0**63 else _truncate(value - 2.0**63, 64) + 2**63
        return wrap(target, result)

    if not target.signed and target.bits == 64:
        return to_unsigned_long
    bits = 64 if target.bits == 64 or (target.bits == 32 and not target.signed) else 32
    return lambda value: wrap(target, _truncate(value, bits))


def _truncate(value: float, bits: int) -> int:
    """The result of the instruction cvttsd2si with `bits` bits."""
    lowest = -1 << bits - 1
    return int(value) if lowest - 1 < value < -lowest else lowest


def _float_to_float(value: float) -> float:
    return round_to_float(float(value))


def int_to_float(value: int) -> float:
    """The 32-bit float nearest to an integer, ties to even, rounded once (not first to 64 bits)."""
    excess = max(0, operator.index(value).bit_length() - 24)
    quotient, rest = divmod(abs(value), 1 << excess)
    half = (1 << excess) // 2
    if rest > half or (excess and rest == half and quotient % 2):
        quotient += 1
    return math.copysign(float(quotient << excess), value)
