"""What each primitive computes: `operation` gives the Python function for an operator and its types.

At run time an integer is an `int` in the range of its type, a `bool` is a `bool`, a `float` or `double` is a Python
float; a `float` is rounded to 32 bits by each operation. Functions may rely on that of their operands and keep it
for their result. Where an operand is `Undefined`, Python's dispatch raises the fault; so a function must apply some
operator to each operand, even a conversion that would change nothing.
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
from cpsconv.operations.table import PRIMITIVES, Operation
from cpsconv.operations.types import range_of, wrap

Function = Callable[..., Any]


def operation(primitive: Primitive) -> Function:
    """The function from the operands' values to the value of the primitive."""
    operand = primitive.operands[0].type
    assert isinstance(operand, Scalar)
    return _operation(primitive.op, operand, primitive.type)


def fold(primitive: Primitive) -> Constant | None:
    """The value of a primitive that has only constants for operands; None for any other, and where it is a fault."""
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
    return _rounded(compute, row) if operand is FLOAT and row.kind != "comparison" else compute


def normalised(type: Type, value: Any) -> Any:
    """`value` as values of that type are kept: an integer in range, a `float` of 32 bits."""
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
    if row.kind == "comparison" or (row.kind == "bitwise" and row.form == "infix"):
        return compute
    if row.kind == "shift":
        return _wrapped_pair(lambda left, count: compute(left, count % bits), type)
    return _wrapped_pair(compute, type) if row.form == "infix" else _wrapped(compute, type)


def _wrapped(exact: Function, type: Scalar) -> Function:
    """The function of one operand whose result is wrapped to the type (the common case is that it need not be)."""
    lowest, highest = range_of(type)

    def compute(operand: Any) -> int:
        result: int = exact(operand)
        return result if lowest <= result <= highest else wrap(type, result)

    return compute


def _wrapped_pair(exact: Function, type: Scalar) -> Function:
    """The same for two operands."""
    lowest, highest = range_of(type)

    def compute(left: Any, right: Any) -> int:
        result: int = exact(left, right)
        return result if lowest <= result <= highest else wrap(type, result)

    return compute


def _trapping_division(row: Operation, type: Scalar) -> Function:
    """Division, or its remainder. Raises `DivisionError` for a zero divisor, and where the quotient is out of range.

    C leaves both undefined. The only quotient that is out of range is that of the smallest number and -1.
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


def _rounded(compute: Function, row: Operation) -> Function:
    """The operation on 32-bit floats: computing in 64 bits and rounding the result gives the correct result."""
    if row.form == "infix":
        return lambda left, right: round_to_float(compute(left, right))
    return lambda operand: round_to_float(compute(operand))


_FLOAT = struct.Struct("f")


def round_to_float(value: float) -> float:
    """The 32-bit float nearest to `value`, ties to even; infinite beyond the range."""
    try:
        rounded: float = _FLOAT.unpack(_FLOAT.pack(value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


# ---------------------------------------------------------------------------------------------------- conversions


def conversion(source: Scalar, target: Scalar) -> Function:
    """The function that converts a value of type `source` to `target`, as a C cast does."""
    if target.kind == "bool":
        return lambda value: value != 0
    if target.kind == "integer":
        return _float_to_integer(target) if source.kind == "float" else _wrapped(int, target)
    if target.bits == 64:
        return float
    return _float_to_float if source.kind == "float" else int_to_float


def _float_to_integer(target: Scalar) -> Function:
    """Truncation. What C leaves undefined (out of range, NaN) is what gcc's code for x86-64 gives.

    The instruction cvttsd2si has a 32-bit and a 64-bit answer, which is the smallest integer where the truncated value
    does not fit. `int` and what is narrower take the lower bits of the 32-bit answer, `unsigned` those of the 64-bit
    answer. For `unsigned long`, a value not below 2**63 is converted less 2**63, which is added again afterwards.
    """

    def to_unsigned_long(value: float) -> int:
        answer = _truncate(value, 64) if not value >= 2.0**63 else _truncate(value - 2.0**63, 64) + 2**63
        return wrap(target, answer)

    if not target.signed and target.bits == 64:
        return to_unsigned_long
    bits = 64 if target.bits == 64 or (target.bits == 32 and not target.signed) else 32
    return lambda value: wrap(target, _truncate(value, bits))


def _truncate(value: float, bits: int) -> int:
    """The answer of the instruction cvttsd2si that has that many bits."""
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
