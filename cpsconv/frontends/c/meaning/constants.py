"""Evaluation of integer constant expressions (C17 6.6), the values of `case` labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, cast

from cpsconv.frontends.c.diagnostics import POISON
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.syntax.tree import Expression
from cpsconv.frontends.c.types import common_type, converted_constant, operand_types, promoted
from cpsconv.ir import INT, Constant, Scalar, Value
from cpsconv.operations.table import OPERATIONS, PREFIXES
from cpsconv.operations.types import is_float, wrap
from cpsconv.source import Span
from cpsconv.trampoline import Computation, Step, run

UNARY_PRIMITIVES = {symbol: name for name, symbol in PREFIXES.items()}
"""The primitive for each unary operator of C, except ``+``."""


class NotConstantError(Exception):
    """An expression that is not an integer constant. `message` is the predicate of a sentence about its value."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message, self.span = message, span


Evaluate = Callable[[Expression], Step[Value | None]]
"""Evaluates an expression in its scope. The result `POISON` is a reported error."""


class _ReportedError(Exception):
    """An error in a part of the expression has been reported."""


def integer_constant(expression: Expression, evaluate: Evaluate) -> Constant | None:
    """The value of an integer constant expression; None if `evaluate` has reported an error.

    Raises `NotConstantError` if the expression is not an integer constant expression.
    """
    try:
        constant: Constant = run(_evaluate(expression, evaluate))
    except _ReportedError:
        return None
    if is_float(constant.type):
        raise NotConstantError("is not an integer", expression.span)
    return constant


def _evaluate(node: Expression, evaluate: Evaluate) -> Computation[Constant]:
    def part(operand: Expression) -> Computation[Constant]:
        return _evaluate(operand, evaluate)

    match node:
        case c.Literal():
            return Constant(node.type, node.value)
        case c.Unary():
            return _unary(node, (yield part(node.operand)))
        case c.Binary():
            return _binary(node, (yield part(node.left)), (yield part(node.right)))
        case c.Logical():
            left = yield part(node.left)
            is_decided = bool(left.value) is (node.op == "||")
            return Constant(INT, int(bool((left if is_decided else (yield part(node.right))).value)))
        case c.Conditional():
            condition = yield part(node.condition)
            then, otherwise = (yield part(node.then)), (yield part(node.otherwise))
            return _convert(common_type(then.type, otherwise.type), then if condition.value else otherwise, node)
        case c.Cast():
            return _convert(node.type, (yield part(node.operand)), node)
        case c.SizeOf() | c.Name() | c.Erroneous():
            value = yield evaluate(node)
            if value is POISON:
                raise _ReportedError
            if isinstance(node, c.SizeOf):
                return cast("Constant", value)
    return _fail(node)


def _fail(node: Expression, reason: str = "") -> NoReturn:
    raise NotConstantError(f"is not a constant{reason}", node.span)


def _convert(type: Scalar, constant: Constant, node: Expression) -> Constant:
    return converted_constant(type, constant) or _fail(node)


def _integer(constant: Constant, type: Scalar, node: Expression) -> int:
    """The integer constant converted to `type`. C allows floating constants only as operands of casts."""
    if is_float(constant.type):
        raise NotConstantError("is not an integer constant", node.span)
    return int(_convert(type, constant, node).value)


def _unary(node: c.Unary, operand: Constant) -> Constant:
    type = promoted(operand.type)
    value = _integer(operand, type, node)
    if node.op == "!":
        return Constant(INT, int(not value))
    return Constant(type, value if node.op == "+" else _computed(UNARY_PRIMITIVES[node.op], type, value))


def _binary(node: c.Binary, left: Constant, right: Constant) -> Constant:
    kind = OPERATIONS[node.op].kind
    types = operand_types(node.op, left.type, right.type) or (INT, INT)  # `_integer` rejects the floating operand
    first, second = _integer(left, types[0], node.left), _integer(right, types[1], node.right)
    if kind == "shift" and not 0 <= second < types[0].bits:
        _fail(node, f": the shift count is not between 0 and {types[0].bits - 1}")
    if kind == "division" and second == 0:
        _fail(node, ": it divides by zero")
    return Constant(INT if kind == "comparison" else types[0], _computed(node.op, types[0], first, second))


def _computed(op: str, type: Scalar, *operands: int) -> int:
    """The result of the operation, wrapped to the type."""
    compute = OPERATIONS[op].on_integers
    assert compute
    return wrap(type, int(compute(*operands)))
