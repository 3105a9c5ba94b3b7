"""Integers of odd widths, such as ``int<24>``, as wider ones: back ends have integers of the usual widths only.

A value of an odd type is the same number of the next wider type (`cpsconv.core.operations.odd_integers`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cpsconv.core.analysis.graph import replace_in_transfer
from cpsconv.core.erasure import copied
from cpsconv.core.ir import (
    ODD_INTEGERS,
    Call,
    Constant,
    Continuation,
    ContinuationType,
    Function,
    Parameter,
    Primitive,
    Program,
    Statement,
    Type,
    Undef,
    Value,
)
from cpsconv.core.operations.completeness import Unspelled
from cpsconv.core.operations.odd_integers import is_odd, standard_type, widening
from cpsconv.core.operations.table import PRIMITIVES

Steps = Callable[[Statement, Unspelled], "list[Statement]"]


def widened(program: Program, steps: Steps) -> Program:
    """A copy of the program without integers of odd widths; the program itself if it has none.

    `steps` expands a statement (`cpsconv.core.transform.expansion`).
    """
    if not ODD_INTEGERS or not any(map(_is_odd, _types(program))):
        return program
    program = copied(program)
    plan = {each: found for each in program.statements() if isinstance(each, Primitive) and (found := widening(each))}
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
    return is_odd(type)


def _wide(type: Type) -> Type:
    if isinstance(type, ContinuationType):
        return ContinuationType(tuple(map(_wide, type.parameters)))
    return standard_type(type)


def _wide_value(value: Value) -> Value:
    """The constant or undefined value in the wider type; other values are changed where they are defined."""
    if isinstance(value, Constant) and is_odd(value.type):
        return Constant(standard_type(value.type), value.value)
    if isinstance(value, Undef) and is_odd(value.type):
        return Undef(standard_type(value.type), value.name, value.span)
    return value


def _widen_parameters(function: Continuation) -> None:
    for parameter in function.parameters:
        parameter.type = _wide(parameter.type)


def _wide_prototype(callee: Function) -> Function:
    parameters = [Parameter(_wide(each.type), each.name, each.span, each.attributes) for each in callee.parameters]
    return Function(callee.name, parameters, attributes=callee.attributes)
