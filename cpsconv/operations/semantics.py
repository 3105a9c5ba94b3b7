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
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from cpsconv.ir import Constant, Primitive, Scalar, Type
from cpsconv.operations.runtime_errors import DivisionFault, RuntimeFault
from cpsconv.operations.table import CONVERT, wrap

Function = Callable[..., Any]
T = TypeVar("T")


def operation(primitive: Primitive) -> Function:
    """The function from the operands' values to the value of the primitive."""
    operand = primitive.operands[0].type
    assert isinstance(operand, Scalar)
    return _operation(primitive.op, operand, primitive.type)


def in_order_of_use(op: str, operands: Sequence[T]) -> Sequence[T]:
    """The operands of a primitive or effect in the order in which an undefined one among them is found.

    (A divisor is found to be 0 before the dividend is looked at.)
    """
    if op in ("/", "%", "<<", ">>"):
        return operands[::-1]
    return [*operands[1:], operands[0]] if op == "printf" else operands


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
    if op == CONVERT:
        return conversion(operand, result)
    if op in _COMPARISONS:
        return _COMPARISONS[op]
    if operand.kind == "integer":
        return _on_integers(op, operand)
    if operand.kind == "float":
        return _on_floats(op, operand)
    return _ON_BOOLS[op]


def normalised(type: Type, value: Any) -> Any:
    """`value` as values of that type are kept: an integer in range, a `float` of 32 bits."""
    if not isinstance(type, Scalar) or type.kind == "string":
        return value
    if type.kind == "integer":
        return wrap(type, int(value))
    if type.kind == "float":
        return float(value) if type.bits == 64 else round_to_float(float(value))
    return bool(value)


_COMPARISONS: dict[str, Function] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_ON_BOOLS: dict[str, Function] = {
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "!": operator.not_,
}

# ------------------------------------------------------------------------------------------------------- integers


def _on_integers(op: str, type: Scalar) -> Function:
    if op in _STAY_IN_RANGE:
        return _STAY_IN_RANGE[op]
    exact = _trapping_division(op, type) if op in ("/", "%") else _exact_integers(type.bits)[op]
    return _wrapped(exact, type) if op in _UNARY else _wrapped_pair(exact, type)


_UNARY = ("neg", "~", "abs")

_STAY_IN_RANGE: dict[str, Function] = {"&": operator.and_, "|": operator.or_, "^": operator.xor}


def _exact_integers(bits: int) -> dict[str, Function]:
    """The operations on unbounded integers; a shift count is taken modulo `bits`."""
    return {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "<<": lambda left, count: left << count % bits,
        ">>": lambda left, count: left >> count % bits,
        "neg": operator.neg,
        "~": operator.invert,
        "abs": operator.abs,
    }


def range_of(type: Scalar) -> tuple[int, int]:
    """The smallest and the largest integer of the type."""
    return (-1 << type.bits - 1, (1 << type.bits - 1) - 1) if type.signed else (0, (1 << type.bits) - 1)


def contains(wide: Scalar, narrow: Scalar) -> bool:
    """Whether every integer of the type `narrow` is one of the type `wide`."""
    (lowest, highest), (least, greatest) = range_of(wide), range_of(narrow)
    return lowest <= least and greatest <= highest


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


def _trapping_division(op: str, type: Scalar) -> Function:
    """Division that truncates toward zero, or its remainder, which has the sign of the dividend.

    Raises `DivisionFault` where C leaves both undefined: for a zero divisor, and where the quotient is out of range.
    """
    _, highest = range_of(type)

    def divide(left: int, right: int) -> int:
        if right == 0:
            raise DivisionFault("division by zero")
        quotient = abs(left) // abs(right)
        if (left < 0) != (right < 0):
            quotient = -quotient
        if quotient > highest:
            raise DivisionFault(f"{left} {op} {right} overflows `{type}`")
        return quotient if op == "/" else left - quotient * right

    return divide


# --------------------------------------------------------------------------------------------------------- floats


def _on_floats(op: str, type: Scalar) -> Function:
    """As IEEE 754 has it. Computing in 64 bits and rounding the result to 32 gives the correct 32-bit result."""
    exact = _FLOATS[op]
    if type.bits == 64:
        return exact
    if op in _UNARY:
        return lambda operand: round_to_float(exact(operand))
    return lambda left, right: round_to_float(exact(left, right))


def _divide(dividend: float, divisor: float) -> float:
    if divisor != 0:
        return dividend / divisor
    if dividend == 0 or math.isnan(dividend):
        return -math.nan  # the sign that x86-64 gives it
    return math.copysign(math.inf, dividend) * math.copysign(1.0, divisor)


_FLOATS: dict[str, Function] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
    "neg": operator.neg,
    "abs": operator.abs,
}

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
