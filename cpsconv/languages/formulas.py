"""Formulas: expressions of Python whose operators create operations of the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cpsconv.core.ir import BOOL, DOUBLE, INT, Constant, Scalar, Value
from cpsconv.core.operations.types import is_integer, scalar_type, wrap
from cpsconv.languages.arithmetic import Maker

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


def computed(formula: Formula) -> Callable[..., Any]:
    """The computation of a formula: its value, or a list of those of several."""

    def compute(make: Maker, *values: Value) -> Value | list[Value]:
        result = formula(*[Number(make, each) for each in values])
        return result.value if isinstance(result, Number) else [each.value for each in result]

    return compute


def with_carry(x: Number, y: Number) -> tuple[Number, Number]:
    """The sum of two integers, and whether it is out of the range of unsigned ones."""
    total = x + y
    return total, total.unsigned() < x.unsigned()


def _extreme(name: str) -> Formula:
    """The larger or smaller floating number, ``max`` or ``min``, or the first of equal ones; a NaN is no number."""
    if name == "max":
        return lambda x, y: ((x >= y) | (y != y)).either(x, y)
    return lambda x, y: ((x <= y) | (y != y)).either(x, y)


def _extreme_by_sign(name: str, is_number: bool) -> Formula:
    """Likewise, where -0.0 is less than 0.0, and NaN is the result for a NaN, unless the result is a number."""

    def formula(x: Any, y: Any) -> Any:
        is_first = (x > y) | (x == y) & ~has_sign(x) if name == "max" else (x < y) | (x == y) & has_sign(x)
        first, second = (y, x) if is_number else (x, y)
        return (x != x).either(first, (y != y).either(second, is_first.either(x, y)))

    return formula


def has_sign(x: Number) -> Number:
    """Whether the sign of a number, also of zero, is negative."""
    return x.constant(1)("copysign", x) < 0


FLOATING_EXTREMES: dict[str, Formula] = {
    **{f"{name}num": _extreme(name) for name in ("max", "min")},
    **{f"{name}imum": _extreme_by_sign(name, is_number=False) for name in ("max", "min")},
    **{f"{name}imumnum": _extreme_by_sign(name, is_number=True) for name in ("max", "min")},
}
"""The maxima and minima of floating numbers, by their names in LLVM."""
