"""Integer constant expressions: the values of `case` labels."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import NoReturn

from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.syntax.tree import Expression
from cpsconv.frontends.c.types import common, converted_constant, promoted
from cpsconv.ir import INT, Constant, Scalar, Value
from cpsconv.operations.types import is_float, wrap
from cpsconv.source import Span
from cpsconv.trampoline import Computation, run


class NotConstantError(Exception):
    """The expression is no integer constant: what is wrong with it, and where."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


SizeOf = Callable[[c.SizeOf], Computation[Value]]
"""What gives the value of a `sizeof`: names in its operand have a meaning only where it stands."""


class _PoisonedError(Exception):
    """A part of the expression is wrong, and has been complained of."""


def integer_constant(expression: Expression, size_of: SizeOf) -> Constant | None:
    """The value of an integer constant expression; None where `size_of` has complained. Raises `NotConstantError`."""
    try:
        constant: Constant = run(_fold(expression, size_of))
    except _PoisonedError:
        return None
    if is_float(constant.type):
        raise NotConstantError("is not an integer", expression.span)
    return constant


def _fold(node: Expression, size_of: SizeOf) -> Computation[Constant]:
    def fold(operand: Expression) -> Computation[Constant]:
        return _fold(operand, size_of)

    match node:
        case c.Literal():
            return Constant(node.type, node.value)
        case c.Unary():
            return _unary(node, (yield fold(node.operand)))
        case c.Binary():
            return _binary(node, (yield fold(node.left)), (yield fold(node.right)))
        case c.Logical():
            left = yield fold(node.left)
            decided = bool(left.value) is (node.op == "||")
            return Constant(INT, int(bool((left if decided else (yield fold(node.right))).value)))
        case c.Conditional():
            condition = yield fold(node.condition)
            then, otherwise = (yield fold(node.then)), (yield fold(node.otherwise))
            return _convert(common(then.type, otherwise.type), then if condition.value else otherwise, node)
        case c.Cast():
            return _convert(node.type, (yield fold(node.operand)), node)
        case c.SizeOf():
            size = yield size_of(node)
            if not isinstance(size, Constant):
                raise _PoisonedError
            return size
    return _fail(node)


def _fail(node: Expression) -> NoReturn:
    raise NotConstantError("is not a constant", node.span)


def _convert(type: Scalar, constant: Constant, node: Expression) -> Constant:
    return converted_constant(type, constant) or _fail(node)


def _integer(constant: Constant, type: Scalar, node: Expression) -> int:
    """The constant as an integer of that type; only casts may stand between a floating constant and the rest."""
    if is_float(constant.type):
        raise NotConstantError("is not an integer constant", node.span)
    return int(_convert(type, constant, node).value)


def _unary(node: c.Unary, operand: Constant) -> Constant:
    type = promoted(operand.type)
    value = _integer(operand, type, node)
    if node.op == "!":
        return Constant(INT, int(not value))
    return Constant(type, wrap(type, {"+": value, "-": -value, "~": ~value}[node.op]))


_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}


def _binary(node: c.Binary, left: Constant, right: Constant) -> Constant:
    if node.op in ("<<", ">>"):
        return _shift(node, left, right)
    type = common(left.type, right.type)
    first, second = _integer(left, type, node.left), _integer(right, type, node.right)
    if node.op in _COMPARISONS:
        return Constant(INT, int(_OPERATORS[node.op](first, second)))
    if node.op in ("/", "%"):
        return _division(node, type, first, second)
    return Constant(type, wrap(type, _OPERATORS[node.op](first, second)))


def _shift(node: c.Binary, left: Constant, right: Constant) -> Constant:
    type = promoted(left.type)
    value, count = _integer(left, type, node.left), _integer(right, promoted(right.type), node.right)
    if not 0 <= count < type.bits:
        raise NotConstantError(f"is not a constant: the shift count is not between 0 and {type.bits - 1}", node.span)
    return Constant(type, wrap(type, value << count if node.op == "<<" else value >> count))


def _division(node: c.Binary, type: Scalar, dividend: int, divisor: int) -> Constant:
    """C's division truncates towards zero; the remainder has the sign of the dividend."""
    if divisor == 0:
        raise NotConstantError("is not a constant: it divides by zero", node.span)
    quotient = abs(dividend) // abs(divisor) * (1 if (dividend < 0) == (divisor < 0) else -1)
    return Constant(type, wrap(type, quotient if node.op == "/" else dividend - quotient * divisor))
