"""Implicit conversions (C17 6.3), and conditions: expressions that decide a branch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cpsconv.frontends.c.diagnostics import Errors
from cpsconv.frontends.c.meaning import typed_tree as t
from cpsconv.frontends.c.meaning.declarations import Functions, Scopes
from cpsconv.frontends.c.meaning.tree_warnings import TreeWarnings
from cpsconv.frontends.c.meaning.value_warnings import ValueWarnings
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.types import BOOL, CHAR, STRING, TRUTH, VOID, CType, Pointer, array_of
from cpsconv.trampoline import Computation, Step, run


class Conversions:
    """Converts typed expressions, and types conditions.

    The fields are the state of the typing of one function, which `begin` resets. `discarded` is an expression whose
    value is not used; `has_inner_change` states that the current whole expression may need `check_sequence`.
    """

    def __init__(self, functions: Functions, errors: Errors) -> None:
        self.functions = functions
        self.errors = errors
        self.tree = TreeWarnings(errors)
        self.discarded: c.Expression | None = None
        self.has_inner_change = False
        self._pending = Errors()  # its warnings are given only where control can reach them
        self._conditions: dict[type, Callable[[Any], Step[t.Expression]]] = {
            c.Literal: self._constant_condition,
            c.StringLiteral: self._constant_condition,
            c.Unary: self._unary_condition,
            c.Logical: self._logical_condition,
            c.Conditional: self._conditional_condition,
            c.Comma: self._comma_condition,
        }

    def begin(self, function: t.Function) -> None:
        """Begin the typing of a function."""
        self.function = function
        self.scopes = Scopes(self.errors)
        self.checks = ValueWarnings(self._pending, self.scopes)

    def part(self, node: c.Expression) -> Step[t.Expression]:
        """The typed subexpression, or its computation. Defined in `Expressions`."""
        raise NotImplementedError

    def string(self, node: c.StringLiteral) -> t.Decay:
        """The pointer to the characters of a string literal."""
        array = array_of(CHAR, len(node.value) + 1)
        return t.Decay(node.span, STRING, t.String(node.span, array, node.value))

    # -------------------------------------------------------------------------------------------------- conversions

    def data(self, value: t.Expression, node: c.Expression) -> t.Expression:
        """`value`, which is that of `node`. Reports `void` expressions and strings, which are erroneous then."""
        type = value.type
        if type is VOID:
            self.errors.report("void", "expected a value, but this expression is `void`", node.span)
        elif isinstance(type, Pointer):
            self.errors.report("unsupported", "strings are not supported yet, except to print them", node.span)
        else:
            return value
        return t.Erroneous(node.span, value)

    def converted(self, type: CType, value: t.Expression) -> t.Expression:
        """A number or truth value, or an erroneous expression, converted to an arithmetic type."""
        given = value.type
        return value if given is type or (given is TRUTH and type is BOOL) else t.Convert(value.span, type, value)

    def assigned(self, type: CType, value: t.Expression, node: c.Expression) -> t.Expression:
        """`value`, which is that of `node`, converted as if by assignment to a variable of that type."""
        given = value.type
        if given is type or (given is TRUTH and type is BOOL):
            return value
        if isinstance(given, Pointer):
            if type is BOOL:  # a string is a pointer that is not null
                return t.Comma(node.span, BOOL, value, t.Literal(node.span, BOOL, True))
            message = f"expected `{type}`, but this is a string"
            self.errors.report("type-mismatch", message, t.origin(value).span)
            return t.Convert(node.span, type, t.Erroneous(node.span, value))
        self.checks.conversion(type, node, value)
        return self.with_warnings(t.Convert(node.span, type, self.data(value, node)))

    def with_warnings(self, value: t.Expression) -> t.Expression:
        """`value` with the warnings that `checks` has just found."""
        found = self._pending.warnings
        if not found:
            return value
        self._pending.warnings = []
        return t.Warned(value.span, value.type, value, found)

    # --------------------------------------------------------------------------------------------------- conditions

    def condition(self, node: c.Expression) -> Step[t.Expression]:
        """The condition that the expression is not zero, or its computation."""
        return self._conditions.get(type(node), self._value_condition)(node)

    def whole_condition(self, node: c.Expression) -> t.Expression:
        """The condition that a whole expression is not zero."""
        if type(node) in self._conditions:
            condition: t.Expression = run(self.condition(node))
        else:  # the frequent case: one value decides
            condition = self.assigned(BOOL, run(self.part(node)), node)
        if self.has_inner_change:
            self.check_sequence(node)
        return condition

    def check_sequence(self, node: c.Expression) -> None:
        """Check a whole expression in which an operand changes a variable."""
        from cpsconv.frontends.c.meaning.sequence_points import warn_of_sequence  # late: few programs need it

        self.has_inner_change = False
        warn_of_sequence(node, self.errors)

    def _value_condition(self, node: c.Expression) -> Computation[t.Expression]:
        return self.assigned(BOOL, (yield self.part(node)), node)

    def _constant_condition(self, node: c.Literal | c.StringLiteral) -> t.Expression:
        return t.Literal(node.span, BOOL, isinstance(node, c.StringLiteral) or bool(node.value))

    def _unary_condition(self, node: c.Unary) -> Step[t.Expression]:
        return self._negation(node) if node.op == "!" else self._value_condition(node)

    def _negation(self, node: c.Unary) -> Computation[t.Expression]:
        return t.Unary(node.span, TRUTH, "!", (yield self.condition(node.operand)))

    def _logical_condition(self, node: c.Logical) -> Computation[t.Expression]:
        self.tree.logical(node)
        left, right = (yield self.condition(node.left)), (yield self.condition(node.right))
        return t.Logical(node.span, TRUTH, node.op, left, right)

    def _conditional_condition(self, node: c.Conditional) -> Computation[t.Expression]:
        self.tree.condition(node.condition)
        condition = yield self.condition(node.condition)
        then, otherwise = (yield self.condition(node.then)), (yield self.condition(node.otherwise))
        return t.Conditional(node.span, TRUTH, condition, then, otherwise)

    def _comma_condition(self, node: c.Comma) -> Computation[t.Expression]:
        self.tree.unused(node.left, "the left operand of `,`")
        left, right = (yield self.part(node.left)), (yield self.condition(node.right))
        return t.Comma(node.span, TRUTH, left, right)
