"""Terms: the language of the rules, embedded in Python expressions.

A rule states that one term can be replaced by another. The unknowns `x`, `y`, `z` denote any values; `a`, `b` denote
constants. Each has the type denoted by a *type variable*, `T` by default. A rule holds for certain choices of types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Union

from cpsconv.core.ir import BOOL, Constant, Scalar
from cpsconv.core.operations.semantics import normalised
from cpsconv.core.operations.table import CONVERT

Types = Mapping[str, Scalar]
"""A choice of types, by type variable."""

Written = Union["Term", int, float]
"""A term, or a plain number for a `Number`."""


def _operator(op: str) -> Callable[[Term, Written], Operation]:
    """The method of `Term` for a binary operator of Python."""

    def method(left: Term, right: Written) -> Operation:
        return _binary(op, left, right)

    return method


class Term:
    """A value, a number, or an operation on terms. For `==` and `!=`, see `equal` and `unequal`."""

    __add__ = _operator("+")
    __sub__ = _operator("-")
    __mul__ = _operator("*")
    __truediv__ = _operator("/")
    __mod__ = _operator("%")
    __and__ = _operator("&")
    __or__ = _operator("|")
    __xor__ = _operator("^")
    __lshift__ = _operator("<<")
    __rshift__ = _operator(">>")
    __lt__ = _operator("<")
    __le__ = _operator("<=")
    __gt__ = _operator(">")
    __ge__ = _operator(">=")

    def __rsub__(self, other: Written) -> Operation:
        return _binary("-", other, self)

    def __neg__(self) -> Operation:
        return Operation("neg", (self,))

    def __invert__(self) -> Operation:
        return Operation("~", (self,))


@dataclass(frozen=True, eq=False)
class Unknown(Term):
    """Any value of the type, or any constant if `constant` is set."""

    name: str
    type: str = "T"
    constant: bool = False

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False)
class Number(Term):
    """A constant, given by its value, or by a function from types to the value. ``True`` and ``False`` are `bool`."""

    value: int | float | Callable[[Types], int]
    type: str = "T"
    name: str = ""

    def constant_for(self, types: Types) -> Constant:
        """The constant for a choice of types, wrapped or rounded to its type."""
        value = self.value(types) if callable(self.value) else self.value
        type = BOOL if isinstance(value, bool) else types[self.type]
        return Constant(type, normalised(type, value))

    def __str__(self) -> str:
        return self.name or str(self.value).lower()


@dataclass(frozen=True, eq=False)
class Operation(Term):
    """A primitive applied to terms. A conversion is to `type`."""

    op: str
    operands: tuple[Term, ...]
    type: str = "T"

    def __str__(self) -> str:
        if len(self.operands) == 2:
            left, right = (
                f"({each})" if isinstance(each, Operation) and len(each.operands) == 2 else str(each)
                for each in self.operands
            )
            return f"{left} {self.op} {right}"
        name = {CONVERT: self.type, "neg": "-"}.get(self.op, self.op)
        return f"{name}({self.operands[0]})"


@dataclass(frozen=True, eq=False)
class Rule:
    """`left` can be replaced by `right` for these choices of `types`, if the condition `where` on constants holds.

    For all values of the unknowns, both sides have the same value, or both are runtime errors.
    """

    left: Operation
    right: Term
    types: tuple[Types, ...]
    where: Term | None = None
    allowed: frozenset[frozenset[tuple[str, Scalar]]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "allowed", frozenset(frozenset(types.items()) for types in self.types))

    def __str__(self) -> str:
        return f"{self.left} = {self.right}" + (f" where {self.where}" if self.where else "")


def term(written: Written) -> Term:
    """The term for an operand as written."""
    return written if isinstance(written, Term) else Number(written)


def _binary(op: str, left: Written, right: Written) -> Operation:
    return Operation(op, (term(left), term(right)))


def equal(left: Written, right: Written) -> Operation:
    """``left == right``"""
    return _binary("==", left, right)


def unequal(left: Written, right: Written) -> Operation:
    """``left != right``"""
    return _binary("!=", left, right)


def negation(operand: Written) -> Operation:
    """``!operand``"""
    return Operation("!", (term(operand),))


def absolute(operand: Written) -> Operation:
    """``abs(operand)``"""
    return Operation("abs", (term(operand),))


def convert(type: str, operand: Written) -> Operation:
    """The conversion of `operand` to the type that the type variable `type` denotes."""
    return Operation(CONVERT, (term(operand),), type)
