"""Operations as Python text: the rules that the engine `python` and the emitted Python share.

Python's integers are unbounded and its floats have 64 bits. So an operation is written as Python's own on the exact
values; then the result is wrapped or rounded to its type. Operations that Python lacks are calls of the functions in
`cpsconv.core.operations.python_arithmetic`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from cpsconv.core.ir import BOOL, DOUBLE, FLOAT, INT128, INTEGER, LONG_DOUBLE, UNSIGNED_INT128, UNSIGNED_LONG, Scalar
from cpsconv.core.operations.completeness import Unspelled, for_every_operation
from cpsconv.core.operations.expansions import narrowed, spelled
from cpsconv.core.operations.mathematics import MATHEMATICS
from cpsconv.core.operations.python_arithmetic import (
    int_to_float,
    long_double_to_float,
    to_float,
    to_long_double,
    truncated,
    truncated_to_int128,
    truncated_to_unsigned_int128,
    truncated_to_unsigned_long,
)
from cpsconv.core.operations.table import CONVERT, PRIMITIVES
from cpsconv.core.operations.types import contains

Term = TypeVar("Term")

_SPELLED = [*"+-*/%&|^<>~!", "<<", ">>", "==", "!=", "<=", ">=", "neg", "abs", CONVERT, *MATHEMATICS]

SPELLED = for_every_operation("Python", dict.fromkeys(_SPELLED), PRIMITIVES, expanded=True)
UNSPELLED = Unspelled(SPELLED, {CONVERT: narrowed, "abs": spelled})
"""The operations that Python text has no rule for."""


_TO_FLOATING: dict[Scalar, Callable[..., Any]] = {DOUBLE: float, LONG_DOUBLE: to_long_double}
_TO_FLOAT: dict[Scalar, Callable[..., Any]] = {DOUBLE: to_float, LONG_DOUBLE: long_double_to_float}
"""The functions that convert to a `double` or `long double`, and from a floating type to a `float`."""


_TRUNCATED = {
    UNSIGNED_LONG: truncated_to_unsigned_long,
    INT128: truncated_to_int128,
    UNSIGNED_INT128: truncated_to_unsigned_int128,
}
"""The functions that convert a floating number to an integer type that is not wrapped."""


def integer_literal(value: int) -> str:
    """The literal of an integer: decimal, or hexadecimal if Python would refuse the decimal digits."""
    return str(value) if value.bit_length() < 13000 else hex(value)


class PythonText(ABC, Generic[Term]):
    """Writes operations as terms. A subclass defines how operators and calls look, and how a result is wrapped."""

    @abstractmethod
    def infix(self, op: str, left: Term, right: Term) -> Term:
        """``left + right``"""

    @abstractmethod
    def prefix(self, op: str, symbol: str, operand: Term) -> Term:
        """``-operand``"""

    @abstractmethod
    def function(self, function: Callable[..., Any], *operands: Term) -> Term:
        """The call of a built-in function, or of a function of `python_arithmetic`."""

    @abstractmethod
    def mathematical(self, op: str, type: Scalar, operands: Sequence[Term]) -> Term:
        """The call of a mathematical function."""

    @abstractmethod
    def number(self, value: int) -> Term:
        """An integer that is not negative."""

    @abstractmethod
    def wrapped(self, term: Term, type: Scalar) -> Term:
        """The term brought into the range of an integer type."""

    def exact(self, op: str, type: Scalar, operands: Sequence[Term]) -> Term:
        """The operation on operands of the type, rounded, but not wrapped. The divisor of a `double` is not zero."""
        row = PRIMITIVES[op]
        if row.kind == "mathematics":
            return self.mathematical(op, type, operands)
        if row.form == "call":
            return self.function(abs, *operands)
        if row.form == "prefix":
            return self.prefix(op, "not " if op == "!" else row.symbol, operands[0])
        term = self.infix(op, *operands)
        return term if row.kind == "comparison" else self.rounded(type, term)

    def rounded(self, type: Scalar, term: Term) -> Term:
        """The term, rounded for a `float`."""
        return self.function(to_float, term) if type is FLOAT else term

    def converted(self, source: Scalar, target: Scalar, operand: Term) -> Term:
        """The conversion to the type."""
        if source is target or (source is FLOAT and target is DOUBLE):
            return operand
        if target in _TO_FLOATING:
            return self.function(_TO_FLOATING[target], operand)
        if target is FLOAT:
            return self.function(_TO_FLOAT.get(source, int_to_float), operand)
        if source.kind == "float":
            return self._truncated(target, operand)
        if source is BOOL:
            return self.truth_value(operand)
        if target is INTEGER or (source is not INTEGER and contains(target, source)):
            return operand
        return self.wrapped(operand, target)

    def truth_value(self, operand: Term) -> Term:
        """The integer 0 or 1 for a `bool`."""
        return self.function(int, operand)

    def _truncated(self, target: Scalar, operand: Term) -> Term:
        if target in _TRUNCATED:
            return self.function(_TRUNCATED[target], operand)
        return self.function(truncated, operand, self.number(target.bits))
