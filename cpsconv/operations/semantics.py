"""What each primitive computes: `operation` gives the Python function for an operator and its types.

At run time an integer is an `int` in the range of its type, a `bool` is a `bool`, a `float` or `double` is a Python
float; a `float` is rounded to 32 bits by each operation. Functions may rely on that of their operands and keep it
for their result. Where an operand is `Undefined`, Python's dispatch raises the fault; so a function must apply some
operator to each operand, even a conversion that would change nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from cpsconv.ir import FLOAT, UNSIGNED_LONG, Constant, Primitive, Scalar, Type
from cpsconv.operations.python_arithmetic import (
    check_division,
    int_to_float,
    to_float,
    truncated,
    truncated_to_unsigned_long,
    wrapped,
)
from cpsconv.operations.runtime_errors import RuntimeFault
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
    except RuntimeFault:
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
        return float(value) if type.bits == 64 else to_float(float(value))
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
    modulus = 1 << type.bits

    def compute(operand: Any) -> int:
        result: int = exact(operand)
        return result if lowest <= result <= highest else wrapped(result, lowest, modulus)

    return compute


def _wrapped_pair(exact: Function, type: Scalar) -> Function:
    """The same for two operands."""
    lowest, highest = range_of(type)
    modulus = 1 << type.bits

    def compute(left: Any, right: Any) -> int:
        result: int = exact(left, right)
        return result if lowest <= result <= highest else wrapped(result, lowest, modulus)

    return compute


def _trapping_division(row: Operation, type: Scalar) -> Function:
    """Division, or its remainder. Raises `DivisionFault` for a zero divisor, and where the quotient is out of range.

    C leaves both undefined. The only quotient that is out of range is that of the smallest number and -1.
    """
    lowest, _ = range_of(type)
    compute = row.on_integers
    assert compute

    def divide(left: int, right: int) -> int:
        if right == 0 or right == -1:
            check_division(left, right, lowest, f"{left} {row.symbol} {right} overflows `{type}`")
        result: int = compute(left, right)
        return result

    return divide


# --------------------------------------------------------------------------------------------------------- floats


def _rounded(compute: Function, row: Operation) -> Function:
    """The operation on 32-bit floats: computing in 64 bits and rounding the result gives the correct result."""
    if row.form == "infix":
        return lambda left, right: to_float(compute(left, right))
    return lambda operand: to_float(compute(operand))


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

    The instruction cvttsd2si has a 32-bit and a 64-bit form, whose result is the smallest integer where the truncated
    value does not fit. `truncation_bits` tells which one; narrower types take the lower bits of its result.
    """
    if target is UNSIGNED_LONG:
        return truncated_to_unsigned_long
    bits = truncation_bits(target)
    return lambda value: wrap(target, truncated(value, bits))


def truncation_bits(target: Scalar) -> int:
    """The bits of the instruction that converts a floating number to an integer type other than `unsigned long`."""
    return 64 if target.bits == 64 or (target.bits == 32 and not target.signed) else 32


def _float_to_float(value: float) -> float:
    return to_float(float(value))
