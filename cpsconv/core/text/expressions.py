"""The printing of expressions: values, and the operations that compute them, in the forms of their rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module

from cpsconv.core.ir import (
    MEMORY,
    Call,
    Constant,
    Data,
    Effect,
    External,
    Function,
    Parameter,
    Primitive,
    Statement,
    Undef,
    Value,
)
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.table import OPERATIONS, PRECEDENCE, PREFIXES
from cpsconv.core.text.layout import Group, Piece, wrapped
from cpsconv.core.text.plan import Alias
from cpsconv.core.text.spelling import literal_text, needs_no_parentheses, quote_name, quote_operation, sanitized_name


class Expressions(metaclass=NodeType):
    """Prints the values of one function: `names` are the names, `in_place` the values written in place."""

    names: Mapping[Value, str]
    in_place: Collection[Value]

    def value(self, value: Value) -> Piece:
        """The text of a use of `value`. (Recursive: `cpsconv.core.text.plan.MAX_DEPTH` bounds the depth.)"""
        if value in self.names:
            return self.names[value]
        if isinstance(value, Constant):
            return literal_text(value)
        if isinstance(value, Undef):
            return f"undef({quote_name(value.name)} : {value.type})"
        if isinstance(value, (Function, External, Data)):
            return value.name if isinstance(value, External) else quote_name(value.name)
        if isinstance(value, Primitive) and value in self.in_place:
            return self.operation(value)
        assert isinstance(value, (Parameter, Primitive, Effect))  # of a function around this one, which is not shown
        return quote_name(sanitized_name(value.name or ""))

    def operation(self, statement: Primitive | Effect) -> Piece:
        """The text that computes `statement`, in its form; with the memory in which it takes place, if it has one."""
        if isinstance(statement, Alias):
            return self.value(statement.operands[0])
        operands = statement.operands
        if operands and operands[-1].type is MEMORY:
            return FORMS["in memory"](self, statement, operands)
        return FORMS[OPERATIONS[statement.op].form](self, statement, operands)

    def call(self, call: Call) -> tuple[str, Sequence[Value]]:
        """The name that a call applies, and the arguments: the callee, or ``call`` with the pointer before them."""
        if call.pointer is None:
            return quote_name(call.callee.name), call.arguments
        return "call", [call.pointer, *call.arguments]

    def application(self, name: str, arguments: Sequence[Value]) -> Piece:
        """`name(arguments)`"""
        if not arguments:
            return f"{name}()"
        return Group(f"{name}(", [self.value(argument) for argument in arguments], ")")

    def prefixed(self, statement: Statement, operands: Sequence[Value]) -> Piece:
        """A prefix operator and its operand. `-(5)` is the negation of a constant, `-5` a constant."""
        op, operand = statement.op, operands[0]
        inner = self._operator_of(operand)
        is_bare = inner not in PRECEDENCE and inner not in PREFIXES
        if isinstance(operand, Constant):
            is_bare = PREFIXES[op] != "-" and not literal_text(operand).startswith("-")
        piece = self.value(operand)
        return wrapped(PREFIXES[op], piece if is_bare else wrapped("(", piece, ")"))

    def infix(self, statement: Statement, operands: Sequence[Value]) -> Piece:
        """``left op right``; a chain of operators of one precedence, such as ``a + b - c``, is one group."""
        op = statement.op
        left, right = self._operand(op, operands[0], 0), self._operand(op, operands[1], 1)
        is_chain = PRECEDENCE.get(self._operator_of(operands[0])) == PRECEDENCE[op]
        items = left.items if isinstance(left, Group) and not left.opening and is_chain else [left]
        return Group("", [*items, wrapped(f"{op} ", right)], "", separator="", bracketed=False)

    def _operand(self, op: str, operand: Value, side: int) -> Piece:
        inner = self._operator_of(operand)
        piece = self.value(operand)
        return piece if inner not in PRECEDENCE or needs_no_parentheses(op, inner, side) else wrapped("(", piece, ")")

    def _operator_of(self, value: Value) -> str:
        return value.op if isinstance(value, Primitive) and value in self.in_place else ""


Form = Callable[[Expressions, Statement, Sequence[Value]], Piece]
"""The text of a statement on these operands."""


class _Forms(dict[str, Form]):
    """The forms of operations. Those on memory and of foreign operations are loaded on use: many programs have none."""

    def __missing__(self, form: str) -> Form:
        self.update(import_module("cpsconv.core.text.further_forms").FORMS)
        return self[form]


FORMS = _Forms(
    infix=Expressions.infix,
    prefix=Expressions.prefixed,
    call=lambda expressions, statement, operands: expressions.application(quote_operation(statement.op), operands),
    conversion=lambda expressions, statement, operands: expressions.application(str(statement.type), operands),
)
