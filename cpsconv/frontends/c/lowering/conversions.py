"""Implicit conversions of lowered values (C17 6.3), and the context of the lowering of a function."""

from __future__ import annotations

from dataclasses import dataclass

from cpsconv.frontends.c.diagnostics import POISON, SemanticErrors
from cpsconv.frontends.c.lowering.emission import Emitter
from cpsconv.frontends.c.lowering.prescan import Prescan
from cpsconv.frontends.c.meaning.declarations import Functions, Scopes
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.syntax.tree import Expression
from cpsconv.frontends.c.types import converted_constant, zero_like
from cpsconv.ir import BOOL, STRING, Constant, Function, Scalar, Undef, Value
from cpsconv.source import Span


@dataclass(eq=False, slots=True)
class Context:
    """The state shared by all parts of the lowering of one function.

    `built` holds the functions that the program defines, by name.
    """

    definition: c.FunctionDeclaration
    functions: Functions
    built: dict[str, Function]
    emit: Emitter
    scopes: Scopes
    errors: SemanticErrors
    prescan: Prescan


class Conversions:
    """Converts the values of expressions: None for a `void` expression, `POISON` for an erroneous one."""

    def __init__(self, context: Context) -> None:
        self._emit = context.emit
        self._errors = context.errors
        self._scopes = context.scopes
        self._functions = context.functions
        self._built = context.built
        self._caller = context.definition.name

    def data(self, value: Value | None, node: Expression) -> Value:
        """`value`, the value of `node`. Reports `void` expressions and strings, and returns `POISON` for them."""
        if value is None:
            return self._errors.report("expected a value, but this expression is `void`", node.span)
        if value.type is STRING:
            return self._errors.report("strings are not supported yet, except to print them", node.span)
        return value

    def assigned(self, type: Scalar, value: Value | None, node: Expression) -> Value:
        """The value of `node`, converted as if by assignment to a variable of that type."""
        if value is not None and value.type is type:
            return value
        return self.convert(type, self.data(value, node), origin(node).span)

    def convert(self, target: Scalar, value: Value, span: Span) -> Value:
        """A number or truth value (or `POISON`) converted to a type. A constant remains a constant, if possible."""
        if value.type is target:
            return value
        if value is POISON:
            return Undef(target, "unknown", span)
        constant = converted_constant(target, value) if type(value) is Constant else None
        if constant:
            return constant
        if target is BOOL:
            return self._emit.primitive("!=", value, zero_like(value), span=span)
        return self._emit.convert(target, value, span)

    def truth(self, value: Value | None, node: Expression) -> Value:
        """Whether the value of `node` is not zero. A string is a pointer, which is not null."""
        if value is not None and value.type is STRING:
            return Constant(BOOL, True)
        return self.assigned(BOOL, value, node)


def origin(node: Expression) -> Expression:
    """The subexpression that computes the value of an expression: the right operand of assignments and commas."""
    while True:
        if type(node) is c.Comma:
            node = node.right
        elif type(node) is c.Assign and node.op is None:
            node = node.value
        else:
            return node
