"""Types that back ends lack, in terms of those of `SCALARS`: integers of odd widths, and further floating types.

An odd integer (`cpsconv.core.ir.integer_type`) is the same number of a wider type. The lowest bits of a sum, product
or left shift do not depend on higher ones; so it is computed in the wider type, and then wrapped to the width. A number
of a further floating type is the integer of its bits (`cpsconv.core.operations.floating_bits`).
"""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.core.floating import Floating
from cpsconv.core.ir import FURTHER_FLOATS, INT, SCALARS, Constant, Primitive, Scalar, Type, Value, integer_type
from cpsconv.core.operations import expansions
from cpsconv.core.operations.expansions import Make, counted
from cpsconv.core.operations.table import CONVERT, PRIMITIVES, Expansion
from cpsconv.core.operations.types import is_float


def is_odd(type: Scalar) -> bool:
    """Whether it is such a type."""
    return (type.kind == "integer" and type.name not in SCALARS) or is_further_float(type)


def is_further_float(type: Scalar) -> bool:
    """Whether it is one of `FURTHER_FLOATS`, which all back ends lack."""
    return type.name in FURTHER_FLOATS


def standard_type(type: Scalar) -> Scalar:
    """The type whose values replace those of an odd type; else the type.

    It is the next wider one of `int`, `long`, `__int128` and their unsigned types, or for a floating type the unsigned
    type of as many bits.
    """
    if not is_odd(type):
        return type
    if is_float(type):
        return integer_type(type.bits, signed=False)
    return integer_type(next(bits for bits in (32, 64, 128) if bits > type.bits), signed=type.signed)


def standard_value(constant: Constant) -> Constant:
    """The constant of the `standard_type`; other constants are their own."""
    if not is_odd(constant.type):
        return constant
    value = constant.value
    return Constant(standard_type(constant.type), value.code if isinstance(value, Floating) else value)


def replacement(statement: Primitive, is_lacking: Callable[[Scalar], bool] = is_odd) -> Expansion | None:
    """The expansion of an operation on lacking types into operations on others; None if it remains as it is."""
    type, row = statement.type, PRIMITIVES[statement.op]
    operands = [each.type for each in statement.operands]
    if any(isinstance(each, Scalar) and is_further_float(each) for each in (type, *operands)):
        return _on_bits(statement.op, operands[0], type, is_lacking)
    if not is_lacking(type):
        return None
    if row.kind == "conversion":
        return lambda make, x: _wrapped(make, type, _converted(make, standard_type(type), x))
    if row.kind == "division":
        return _EXPANSIONS[statement.op](type) if type.signed else None
    if row.kind == "shift":
        return lambda make, x, n: _shifted(make, statement.op, type, x, counted(make, n, type.bits))
    return lambda make, *operands: _wrapped(make, type, make(statement.op, *operands))


def narrowed(conversion: Primitive) -> Expansion | None:
    """The expansion for a back end that has odd integers: floating numbers are converted to the standard type first."""
    target, through = conversion.type, standard_type(conversion.type)
    if through is target or not is_float(conversion.operands[0].type):
        return expansions.narrowed(conversion)
    return lambda make, x: make(target, make(through, x))


def _on_bits(op: str, operand: Type, result: Scalar, is_lacking: Callable[[Scalar], bool]) -> Expansion:
    from cpsconv.core.operations import floating_bits  # few programs have such types

    assert isinstance(operand, Scalar)
    if op != CONVERT:
        return floating_bits.operation(op, operand)
    source, target = (each if is_float(each) else standard_type(each) for each in (operand, result))
    convert = floating_bits.conversion(source, target)
    if target is result:
        return lambda make, x: convert(make, x if is_float(source) else _converted(make, source, x))
    shortened = _wrapped if is_lacking(result) else _converted
    return lambda make, x: shortened(make, result, convert(make, x))


def _converted(make: Make, type: Scalar, value: Value) -> Value:
    return value if value.type is type else make(type, value)


def _wrapped(make: Make, type: Scalar, value: Value) -> Value:
    """The number of the odd type whose lowest bits are those of the value in the wider type."""
    wide = standard_type(type)
    if not type.signed:
        return make("&", value, Constant(wide, (1 << type.bits) - 1))
    unused = Constant(INT, wide.bits - type.bits)
    return make(">>", make("<<", value, unused), unused)


def _quotient(make: Make, type: Scalar, x: Value, y: Value) -> Value:
    """The quotient, by a dividend that is multiplied by 2ⁿ: so it is out of range for the same operands."""
    wide = standard_type(type)
    unused = wide.bits - type.bits
    multiple = make("/", make("<<", x, Constant(INT, unused)), y)
    # With one bit, the only quotients are 0, and that of -1 by -1, which is out of range.
    return make("/", multiple, Constant(wide, 1 << unused)) if type.bits > 1 else multiple


def _remainder(make: Make, type: Scalar, x: Value, y: Value) -> Value:
    return make("-", x, make("*", y, _quotient(make, type, x, y)))


def _shifted(make: Make, op: str, type: Scalar, x: Value, count: Value) -> Value:
    return _wrapped(make, type, make(op, x, count)) if op == "<<" else make(op, x, count)


_EXPANSIONS: dict[str, Callable[[Scalar], Expansion]] = {
    "/": lambda type: lambda make, x, y: _quotient(make, type, x, y),
    "%": lambda type: lambda make, x, y: _remainder(make, type, x, y),
}
