"""Evaluation of integer constant expressions (C17 6.6), the values of `case` labels."""

from __future__ import annotations

from typing import NoReturn

from cpsconv.frontends.c.meaning import typed_tree as t
from cpsconv.frontends.c.types import CType, converted_number, is_floating_type, wrapped
from cpsconv.operations.table import OPERATIONS, PREFIXES
from cpsconv.source import Span
from cpsconv.trampoline import Computation, run

PREFIX_OPERATIONS = {symbol: name for name, symbol in PREFIXES.items()}
"""The primitive for each unary operator of C, except ``+``."""


class NotConstantError(Exception):
    """An expression that is not an integer constant. `message` is the predicate of a sentence about its value."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message, self.span = message, span


class _ReportedError(Exception):
    """An error in a part of the expression has been reported."""


def integer_constant(expression: t.Expression) -> int | None:
    """The value of an integer constant expression; None if it is erroneous, which has been reported.

    Raises `NotConstantError` if the expression is not an integer constant expression.
    """
    try:
        value = run(_value(expression))
    except _ReportedError:
        return None
    if is_floating_type(expression.type):
        raise NotConstantError("is not an integer", expression.span)
    return int(value)


def exact_result(op: str, *operands: int) -> int:
    """The result of an operation on integers of any size."""
    compute = OPERATIONS[op].on_integers
    assert compute
    return int(compute(*operands))


def _value(node: t.Expression) -> Computation[float]:
    match node:
        case t.Constant():
            return node.value
        case t.Convert():
            converted = converted_number(node.type.program, (yield _value(node.operand)))
            return _fail(node) if converted is None else converted
        case t.Unary():
            return _unary(node, (yield _value(node.operand)))
        case t.Logical():
            left = bool((yield _value(node.left)))
            return left if left is (node.op == "||") else bool((yield _value(node.right)))
        case t.Binary():
            return _binary(node, (yield _value(node.left)), (yield _value(node.right)))
        case t.Conditional():
            condition = yield _value(node.condition)
            then: float = yield _value(node.then)
            otherwise: float = yield _value(node.otherwise)
            return then if condition else otherwise
        case t.Warned():
            value: float = yield _value(node.operand)
            return value
        case t.Erroneous():
            raise _ReportedError
    return _fail(node)


def _fail(node: t.Expression, reason: str = "") -> NoReturn:
    raise NotConstantError(f"is not a constant{reason}", node.span)


def _require_integer(operand: t.Expression, span: Span) -> None:
    """C allows floating constants only as operands of casts."""
    given = operand.operand if type(operand) is t.Convert else operand
    if is_floating_type(given.type):
        raise NotConstantError("is not an integer constant", span)


def _unary(node: t.Unary, operand: float) -> int:
    _require_integer(node.operand, node.span)
    if node.op == "!":
        return int(not operand)
    return int(operand) if node.op == "+" else _computed(PREFIX_OPERATIONS[node.op], node.type, operand)


def _binary(node: t.Binary, left: float, right: float) -> int:
    _require_integer(node.left, node.left.span)
    _require_integer(node.right, node.right.span)
    kind, type = OPERATIONS[node.op].kind, node.left.type
    if kind == "shift" and not 0 <= right < type.bits:
        _fail(node, f": the shift count is not between 0 and {type.bits - 1}")
    if kind == "division" and right == 0:
        _fail(node, ": it divides by zero")
    return _computed(node.op, type, left, right)


def _computed(op: str, type: CType, *operands: float) -> int:
    """The result of the operation, wrapped to the type."""
    return wrapped(type, exact_result(op, *map(int, operands)))
