"""Values as text: names, literals, and what is written in place, with as few parentheses as leave no doubt."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from cpsconv.ir import Constant, Effect, External, Function, Primitive, Undef, Value
from cpsconv.operations.table import CONVERT, PRECEDENCE, PREFIXES
from cpsconv.text.layout import Group, Piece, wrapped
from cpsconv.text.literals import literal_text
from cpsconv.text.vocabulary import needs_no_parentheses, quote_name


class Expressions:
    """Shows the values of one function, given the names of some and which of the others stand in place."""

    def __init__(self, names: Mapping[Value, str], in_place: Collection[Value]) -> None:
        self.names = names
        self.in_place = in_place

    def value(self, value: Value) -> Piece:
        """The text of `value` where it is used. (Its depth is bounded: see `cpsconv.text.inlining`.)"""
        if value in self.names:
            return self.names[value]
        if isinstance(value, Constant):
            return literal_text(value)
        if isinstance(value, Undef):
            return f"undef({quote_name(value.name)} : {value.type})"
        if isinstance(value, (Function, External)):
            return value.name if isinstance(value, External) else quote_name(value.name)
        assert isinstance(value, Primitive) and value in self.in_place
        return self.operation(value)

    def operation(self, statement: Primitive | Effect) -> Piece:
        """The text that computes `statement`."""
        op, operands = statement.op, statement.operands
        if isinstance(statement, Effect):
            return self.application(op, operands)
        if op == CONVERT:
            return self.application(str(statement.type), operands)
        if op in PREFIXES:
            return self._prefixed(op, operands[0])
        if op in PRECEDENCE:
            return self._binary(op, operands)
        return self.application(op, operands)

    def application(self, name: str, arguments: Sequence[Value]) -> Piece:
        """`name(arguments)`"""
        if not arguments:
            return f"{name}()"
        return Group(f"{name}(", [self.value(argument) for argument in arguments], ")")

    def _prefixed(self, op: str, operand: Value) -> Piece:
        """An operator before its operand. `-(5)` negates a constant, `-5` is one."""
        inner = self._operator_of(operand)
        clear = not isinstance(operand, Constant) if op == "neg" else not self._is_negative(operand)
        bare = clear and inner not in PRECEDENCE and inner not in PREFIXES
        piece = self.value(operand)
        return wrapped(PREFIXES[op], piece if bare else wrapped("(", piece, ")"))

    def _binary(self, op: str, operands: Sequence[Value]) -> Piece:
        """``left op right``; repeated operators of one precedence, as in ``a + b - c``, are laid out together."""
        left, right = self._operand(op, operands[0], 0), self._operand(op, operands[1], 1)
        items = [left]
        if isinstance(left, Group) and not left.opening:
            inner = self._operator_of(operands[0])
            if PRECEDENCE.get(inner) == PRECEDENCE[op]:
                items = left.items
        return Group("", [*items, wrapped(f"{op} ", right)], "", separator="", bracketed=False)

    def _operand(self, op: str, operand: Value, side: int) -> Piece:
        inner = self._operator_of(operand)
        piece = self.value(operand)
        return piece if inner not in PRECEDENCE or needs_no_parentheses(op, inner, side) else wrapped("(", piece, ")")

    def _operator_of(self, value: Value) -> str:
        return value.op if isinstance(value, Primitive) and value in self.in_place else ""

    def _is_negative(self, value: Value) -> bool:
        return isinstance(value, Constant) and literal_text(value).startswith("-")
