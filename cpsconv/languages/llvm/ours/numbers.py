"""Formulas: expressions of Python whose operators create operations of the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cpsconv.core.ir import BOOL, DOUBLE, INT, Constant, Scalar, Value
from cpsconv.core.operations.types import is_integer, scalar_type, wrap
from cpsconv.languages.arithmetic import Compute, Maker

Formula = Callable[..., Any]
"""The function from each operand, as a `Number`, to the result."""


def _operator(op: str) -> Callable[[Number, Any], Number]:
    return lambda self, other: self(op, other)


class Number:
    """A value in a formula. The other operand of an operator may be a number of Python, as a constant of the type."""

    def __init__(self, make: Maker, value: Value) -> None:
        self.make, self.value, self.type = make, value, scalar_type(value)
        self.bits = self.type.bits

    def __call__(self, op: str, *others: Any) -> Number:
        """The result of an operation on the value and others."""
        return Number(self.make, self.make(op, self.value, *[self._operand(op, each) for each in others]))

    def _operand(self, op: str, other: Any) -> Value:
        if isinstance(other, Number):
            return other.value
        return Constant(INT, other) if op in ("<<", ">>") else self.constant(other).value

    __add__, __sub__, __mul__, __truediv__, __mod__ = map(_operator, "+-*/%")
    __and__, __or__, __xor__, __lshift__, __rshift__ = map(_operator, ["&", "|", "^", "<<", ">>"])
    __lt__, __le__, __gt__, __ge__ = map(_operator, ["<", "<=", ">", ">="])
    __eq__, __ne__ = map(_operator, ["==", "!="])  # type: ignore[assignment]

    def __invert__(self) -> Number:
        return self("!" if self.type is BOOL else "~")

    def constant(self, number: float) -> Number:
        """A number of the type; of an integer the lowest bits."""
        if is_integer(self.type):
            return Number(self.make, Constant(self.type, wrap(self.type, int(number))))
        value = Constant(BOOL, bool(number)) if self.type is BOOL else Constant(DOUBLE, float(number))
        return Number(self.make, self.make.convert(self.type, value))

    def to(self, type: Scalar) -> Number:
        """The value converted to a type."""
        return Number(self.make, self.make.convert(type, self.value))

    def unsigned(self) -> Number:
        """The value as an unsigned integer."""
        return Number(self.make, self.make.unsigned(self.value))

    def either(self, then: Number, otherwise: Number) -> Number:
        """The first value if the condition is true, else the second one."""
        return Number(self.make, self.make.either(self.value, then.value, otherwise.value))


def computed(formula: Formula) -> Compute:
    """The computation of a formula."""
    return lambda make, *values: formula(*[Number(make, each) for each in values]).value
