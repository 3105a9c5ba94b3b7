"""Integers of odd widths, such as ``int<24>``, as wider ones: back ends have integers of the usual widths only.

A value of an odd type is the same number of the next wider type. The lowest bits of a sum, product or left shift do not
depend on higher ones; so it is computed in the wider type, and then wrapped to the width.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cpsconv.core.analysis.graph import replace_in_transfer
from cpsconv.core.erasure import copied
from cpsconv.core.ir import (
    INT,
    ODD_INTEGERS,
    Call,
    Constant,
    Continuation,
    ContinuationType,
    Function,
    Parameter,
    Primitive,
    Program,
    Scalar,
    Statement,
    Type,
    Undef,
    Value,
    standard_type,
)
from cpsconv.core.operations.completeness import Unspelled
from cpsconv.core.operations.expansions import Make
from cpsconv.core.operations.table import PRIMITIVES, Expansion

Steps = Callable[[Statement, Unspelled], "list[Statement]"]


def widened(program: Program, steps: Steps) -> Program:
    """A copy of the program without integers of odd widths; the program itself if it has none.

    `steps` expands a statement (`cpsconv.core.transform.expansion`).
    """
    if not ODD_INTEGERS or not any(map(_is_odd, _types(program))):
        return program
    program = copied(program)
    plan = {each: found for each in program.statements() if isinstance(each, Primitive) and (found := _expansion(each))}
    for function in program.externals:
        _widen_parameters(function)
    for member in program.members():
        _widen_parameters(member)
        for statement in member.body:
            statement.operands = tuple(map(_wide_value, statement.operands))
            statement.type = standard_type(statement.type)
        assert member.transfer
        replace_in_transfer(member.transfer, _wide_value)
        if isinstance(member.transfer, Call) and member.transfer.pointer is not None:
            member.transfer.callee = _wide_prototype(member.transfer.callee)
    unspelled: Unspelled = dict.fromkeys(PRIMITIVES, plan.get)
    for member in program.members():
        member.body = [step for statement in member.body for step in steps(statement, unspelled)]
    return program


def _types(program: Program) -> Iterator[Type]:
    for function in (*program.externals, *program.members()):
        yield from (parameter.type for parameter in function.parameters)
    for statement in program.statements():
        yield statement.type
        yield from (operand.type for operand in statement.operands)


def _is_odd(type: Type) -> bool:
    if isinstance(type, ContinuationType):
        return any(map(_is_odd, type.parameters))
    return type.is_odd


def _wide(type: Type) -> Type:
    if isinstance(type, ContinuationType):
        return ContinuationType(tuple(map(_wide, type.parameters)))
    return standard_type(type)


def _wide_value(value: Value) -> Value:
    """The constant or undefined value in the wider type; other values are changed where they are defined."""
    if isinstance(value, Constant) and value.type.is_odd:
        return Constant(standard_type(value.type), value.value)
    if isinstance(value, Undef) and value.type.is_odd:
        return Undef(standard_type(value.type), value.name, value.span)
    return value


def _widen_parameters(function: Continuation) -> None:
    for parameter in function.parameters:
        parameter.type = _wide(parameter.type)


def _wide_prototype(callee: Function) -> Function:
    parameters = [Parameter(_wide(each.type), each.name, each.span, each.attributes) for each in callee.parameters]
    return Function(callee.name, parameters, attributes=callee.attributes)


# ---------------------------------------------------------------------------------------------------------- operations


def _expansion(statement: Primitive) -> Expansion | None:
    """The expansion of an operation on odd types into operations on the wider types; None if it remains as it is."""
    type, row = statement.type, PRIMITIVES[statement.op]
    if not type.is_odd:
        return None
    if row.kind == "conversion":
        return lambda make, x: _wrapped(make, type, _converted(make, standard_type(type), x))
    if row.kind == "division":
        return _EXPANSIONS[statement.op](type) if type.signed else None
    if row.kind == "shift":
        return lambda make, x, n: _shifted(make, statement.op, type, x, _count(make, type.bits, n))
    return lambda make, *operands: _wrapped(make, type, make(statement.op, *operands))


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


def _count(make: Make, bits: int, count: Value) -> Value:
    """The count modulo the width."""
    type = count.type
    assert isinstance(type, Scalar)
    rest = make("%", count, Constant(type, bits))
    if not type.signed:
        return rest
    rest, width = _converted(make, INT, rest), Constant(INT, bits)
    return make("%", make("+", rest, width), width)


_EXPANSIONS: dict[str, Callable[[Scalar], Expansion]] = {
    "/": lambda type: lambda make, x, y: _quotient(make, type, x, y),
    "%": lambda type: lambda make, x, y: _remainder(make, type, x, y),
}
