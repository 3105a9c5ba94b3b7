"""The semantics of primitives: `operation` gives the Python function that computes a primitive.

At run time an integer is an `int` in the range of its type (any `int` for `integer`), a `bool` is a `bool`, and a
`float` or `double` is a Python float; each operation rounds a `float` to 32 bits. Numbers of other floating types are
`Floating`. A pointer is an `int` (see `pointers`). The functions assume this representation of their operands and
ensure it for their results. If an operand is `Undefined`, the Python operator that is applied to it raises the error;
so each function applies an operator to every operand, even in a conversion that does not change the value.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from cpsconv.core.floating import Floating, format_class
from cpsconv.core.ir import (
    DOUBLE,
    FLOAT,
    FURTHER_FLOATS,
    INT128,
    INTEGER,
    LONG_DOUBLE,
    PTR,
    SCALARS,
    UNSIGNED_INT128,
    UNSIGNED_LONG,
    Constant,
    Foreign,
    Primitive,
    Scalar,
    Type,
)
from cpsconv.core.operations.computation import to_double
from cpsconv.core.operations.python_arithmetic import (
    int_to_float,
    long_double_to_float,
    to_float,
    to_long_double,
    truncated,
    truncated_to_int128,
    truncated_to_unsigned_int128,
    truncated_to_unsigned_long,
    wrapped,
)
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.operations.table import FOREIGN_VALUE, PRIMITIVES, wraps
from cpsconv.core.operations.types import contains, is_computed, is_integer, range_of, truncation_type, wrap

Function = Callable[..., Any]


def operation(primitive: Primitive) -> Function:
    """The function from the values of the operands to the value of the primitive."""
    if primitive.of is not None:
        from cpsconv.core.operations.pointers import address  # imported late: many programs have no pointers

        assert not isinstance(primitive.of, Foreign)
        return address(primitive.of)
    operand = primitive.operands[0].type
    assert isinstance(operand, Scalar)
    return _operation(primitive.op, operand, primitive.type)


def fold(primitive: Primitive) -> Constant | None:
    """The value of a primitive whose operands are constants; None if one is not, or the primitive traps.

    There are no constants for pointers but `null`.
    """
    values = [
        normalised(operand.type, operand.value) for operand in primitive.operands if isinstance(operand, Constant)
    ]
    if len(values) < len(primitive.operands) or primitive.op == FOREIGN_VALUE:
        return None
    try:
        value = normalised(primitive.type, operation(primitive)(*values))
    except ProgramError:
        return None
    return None if primitive.type is PTR and value != 0 else Constant(primitive.type, value)


@cache
def _operation(op: str, operand: Scalar, result: Scalar) -> Function:
    row = PRIMITIVES[op]
    if row.compute is None:
        return conversion(operand, result)
    compute = row.compute(operand)
    if operand is FLOAT and row.kind not in ("comparison", "mathematics"):
        return _rounded(compute, row.arity)
    return _wrapped(compute, operand, row.arity) if wraps(op, operand) else compute


def normalised(type: Type, value: Any) -> Any:
    """`value` in the run-time representation of the type: an integer in range, a `float` rounded to 32 bits."""
    if not isinstance(type, Scalar) or type.kind == "string":
        return value
    if type.kind in ("integer", "pointer"):
        return wrap(type, int(value))
    if type is INTEGER:
        return int(value)
    if is_computed(type):
        return format_class(type.bits, type.digits).of(value)
    if type.kind == "float":
        return float(value) if type is DOUBLE else to_float(float(value))
    return bool(value)


# ------------------------------------------------------------------------------------------------------- integers


def _wrapped(exact: Function, type: Scalar, arity: int | None = 1) -> Function:
    """`exact`, with its result wrapped to the type. (The common case is a result in range.)"""
    lowest, highest = range_of(type)
    modulus = 1 << type.bits

    def unary(operand: Any) -> int:
        result: int = exact(operand)
        return result if lowest <= result <= highest else wrapped(result, lowest, modulus)

    def binary(left: Any, right: Any) -> int:
        result: int = exact(left, right)
        return result if lowest <= result <= highest else wrapped(result, lowest, modulus)

    return unary if arity == 1 else binary if arity == 2 else lambda *operands: wrap(type, exact(*operands))


# --------------------------------------------------------------------------------------------------------- floats


def _rounded(compute: Function, arity: int | None) -> Function:
    """The operation on 32-bit floats: the 64-bit result, rounded, is the correctly rounded 32-bit result."""
    if arity == 2:
        return lambda left, right: to_float(compute(left, right))
    return lambda *operands: to_float(compute(*operands))


# ---------------------------------------------------------------------------------------------------- conversions


def conversion(source: Scalar, target: Scalar) -> Function:
    """The function that converts a value of type `source` to type `target`."""
    if target.kind == "bool":
        return lambda value: value != 0
    if target is INTEGER:
        return int
    if target.kind in ("integer", "pointer"):
        if source.kind == "float":
            return _float_to_integer(source, target)
        return int if is_integer(source) and contains(target, source) else _wrapped(int, target)
    if target is LONG_DOUBLE:
        return to_long_double
    if is_computed(target):
        of = format_class(target.bits, target.digits).of
        return lambda value: of(+value)
    if target is DOUBLE:
        return to_double if source.name in FURTHER_FLOATS else float
    if is_computed(source):
        return long_double_to_float
    return (lambda value: to_float(float(value))) if source.kind == "float" else int_to_float


def _float_to_integer(source: Scalar, target: Scalar) -> Function:
    """Truncation. Conversions out of range, and of NaN, have the results of the instructions of x86-64.

    The 32-bit and 64-bit forms of the instruction cvttsd2si give the smallest integer if the truncated value does not
    fit. `truncation_type` tells which form is used; narrower types take the lower bits of its result. The functions for
    128 bits convert the halves likewise.
    """
    if target.name not in SCALARS:
        from cpsconv.core.operations.odd_types import standard_type  # few programs have such types

        through = conversion(source, standard_type(target))
        return lambda value: wrap(target, through(value))
    if source.digits < FLOAT.digits:
        truncate = _float_to_integer(DOUBLE, target)
        return lambda value: truncate(to_double(value))
    if source.digits > LONG_DOUBLE.digits:
        return lambda value: wrap(target, _truncated(value, truncation_type(target)))
    if source is LONG_DOUBLE and target is UNSIGNED_INT128:
        return lambda value: 0 if value < 0 else truncated_to_unsigned_int128(value)
    if target in _TRUNCATED:
        return _TRUNCATED[target]
    bits = truncation_type(target).bits
    return lambda value: wrap(target, truncated(value, bits))


def _truncated(value: Floating, target: Scalar) -> int:
    """The integral part of a number of 128 bits; if it does not fit, the one of which only the first bit is set."""
    lowest, highest = range_of(target)
    return int(value) if value.is_finite and lowest <= int(value) <= highest else 1 << target.bits - 1


_TRUNCATED: dict[Scalar, Function] = {
    UNSIGNED_LONG: truncated_to_unsigned_long,
    INT128: truncated_to_int128,
    UNSIGNED_INT128: truncated_to_unsigned_int128,
}
