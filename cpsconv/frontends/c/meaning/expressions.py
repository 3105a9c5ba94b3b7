"""The types and conversions of expressions (C17 6.5): from the syntax tree to the typed tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cpsconv.frontends.c.diagnostics import Errors, misspelt_keyword
from cpsconv.frontends.c.meaning import typed_tree as t
from cpsconv.frontends.c.meaning.calls import Calls
from cpsconv.frontends.c.meaning.declarations import Functions
from cpsconv.frontends.c.meaning.value_warnings import SILENT_ON_VARIABLES, Operands
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.types import (
    BOOL,
    INT,
    STRING,
    TRUTH,
    UNKNOWN,
    UNSIGNED_LONG,
    VOID,
    Arithmetic,
    CType,
    common_type,
    is_floating_type,
    is_truth_value,
    operation_types,
    promoted,
    wrapped,
)
from cpsconv.trampoline import Computation, Step, after, run


class Expressions(Calls):
    """Types the expressions of functions."""

    def __init__(self, functions: Functions, errors: Errors) -> None:
        super().__init__(functions, errors)
        self._is_evaluated = True
        self._leaves: dict[type, Callable[[Any], t.Expression]] = {c.Literal: self._literal, c.Name: self._name}
        self._rules: dict[type, Callable[[Any], Step[t.Expression]]] = {
            **self._leaves,
            c.StringLiteral: self.string,
            c.Erroneous: self._erroneous,
            c.Unary: self._unary,
            c.Increment: self._increment,
            c.Binary: self._binary,
            c.Logical: self._logical,
            c.Conditional: self._conditional,
            c.Assign: self._assign,
            c.Comma: self._comma,
            c.Cast: self._cast,
            c.SizeOf: self._size_of,
            c.CallExpression: self.call,
        }

    # ---------------------------------------------------------------------------------------------- entry points

    def whole(self, node: c.Expression, *, discarded: bool = False) -> t.Expression:
        """A whole expression, whose value is not used if it is `discarded`."""
        if discarded:
            self.discarded = node
        value: t.Expression = run(self._rules[type(node)](node))
        if self.has_inner_change:
            self.check_sequence(node)
        return value

    def initial(self, type: CType, node: c.Expression) -> t.Expression:
        """A whole expression, converted as if by assignment to a variable of that type."""
        return self.assigned(type, self.whole(node), node)

    def part(self, node: c.Expression) -> Step[t.Expression]:
        """The typed subexpression, or its computation."""
        return self._rules[type(node)](node)

    def unevaluated(self, node: c.Expression) -> Computation[t.Expression]:
        """An expression that is only typed. Its errors are reported, its warnings are not."""
        warnings, was_evaluated = len(self.errors.warnings), self._is_evaluated
        self._is_evaluated = False
        value: t.Expression = yield self.part(node)
        self._is_evaluated = was_evaluated
        del self.errors.warnings[warnings:]
        return value

    # ------------------------------------------------------------------------------------------- literals and names

    def _literal(self, node: c.Literal) -> t.Expression:
        return t.Literal(node.span, node.type, node.value)

    def _name(self, node: c.Name) -> t.Expression:
        variable = self.scopes.find(node.name)
        if variable is None:
            return self._no_variable(node)
        variable.is_used = True
        return t.Read(node.span, variable.type, variable)

    def _no_variable(self, node: c.Name) -> t.Expression:
        """Report a name that denotes no variable, once for each name."""
        name = node.name
        if name not in self.scopes.undeclared and not self.functions.may_be_declared(name):
            self.scopes.undeclared.add(name)
            self._report_undeclared(node)
        return t.Erroneous(node.span)

    def _report_undeclared(self, node: c.Name) -> None:
        name = node.name
        if name in self.functions.visible or self.functions.library(name):
            message = f"`{name}` is a function; functions as values are not supported yet"
            self.errors.report("unsupported", message, node.span, help=f"to call it, write `{name}(…)`")
            return
        from cpsconv.frontends.c.syntax.headers import header_defining  # late: few names are undeclared

        header = header_defining(name)
        help = f"add `#include <{header}>`" if header else self.errors.suggestion(name, self.scopes.names())
        if not help and (near := misspelt_keyword(name)):
            help = f"did you mean `{near}`?"
        self.errors.report("undeclared", f"`{name}` is not declared", node.span, help=help)

    def _erroneous(self, node: c.Erroneous) -> Computation[t.Expression]:
        parts = []
        for part in node.parts:
            parts.append((yield self.part(part)))
        return t.Erroneous(node.span, *parts)

    def _size_of(self, node: c.SizeOf) -> Computation[t.Expression]:
        """The value of `sizeof`. The operand is not evaluated; an array does not decay."""
        operand = node.operand
        if isinstance(operand, CType):
            type = operand
        elif isinstance(operand, c.StringLiteral):
            type = self.string(operand).operand.type
        else:
            type = self.data((yield self.unevaluated(operand)), operand).type
        if type is UNKNOWN:
            return t.Erroneous(node.span)
        if type is VOID:
            self.errors.report("void", "`void` has no size", node.span)
            return t.Erroneous(node.span)
        self.checks.record(node, UNSIGNED_LONG, type.size)
        return t.Constant(node.span, UNSIGNED_LONG, type.size)

    # -------------------------------------------------------------------------------------------------- arithmetic

    def _unary(self, node: c.Unary) -> Computation[t.Expression]:
        op = node.op
        operand = self.data((yield self.part(node.operand)), node.operand)
        if operand.type is UNKNOWN:
            return t.Erroneous(node.span, operand)
        if op == "!":
            return t.Unary(node.span, TRUTH, op, operand)
        type = promoted(operand.type)
        if op == "~":
            if is_floating_type(type):
                self.errors.report("type-mismatch", f"`~` needs an integer, not `{type}`", node.span)
                return t.Erroneous(node.span, operand)
            if is_truth_value(operand.type):
                message = "`~` of a truth value is never zero"
                self.errors.warn("bool-operation", message, node.span, help="did you mean `!`?")
        self.checks.unary(node, type)
        if op == "-" and isinstance(node.operand, c.Literal):
            return self.with_warnings(t.Constant(node.span, type, _negated(type, node.operand.value)))
        return self.with_warnings(t.Unary(node.span, type, op, self.converted(type, operand)))

    def _binary(self, node: c.Binary) -> Step[t.Expression]:
        """The operation itself if both operands are names or literals, the frequent case; else its computation."""
        left, right = self._leaves.get(type(node.left)), self._leaves.get(type(node.right))
        if left and right:
            return self._arithmetic(node.op, left(node.left), right(node.right), node, (node.left, node.right))
        return self._nested_binary(node)

    def _nested_binary(self, node: c.Binary) -> Computation[t.Expression]:
        self.tree.binary(node)
        left, leaf = self.data((yield self.part(node.left)), node.left), self._leaves.get(type(node.right))
        right = leaf(node.right) if leaf else self.data((yield self.part(node.right)), node.right)
        if type(node.left) is c.Unary:
            self.checks.negated_operand(node, left, right)
        return self._arithmetic(node.op, left, right, node, (node.left, node.right))

    def _arithmetic(
        self, op: str, left: t.Expression, right: t.Expression, node: c.Expression, nodes: Operands | None = None
    ) -> t.Expression:
        """The operation of `node` on both operands, after C's conversions of operands. `nodes` are the operands."""
        one, other = left.type, right.type
        if one is UNKNOWN or other is UNKNOWN:
            return t.Erroneous(node.span, left, right)
        types = operation_types(op, one, other)
        if types is None:
            self.errors.report("type-mismatch", f"`{op}` needs integers, not `{one}` and `{other}`", node.span)
            return t.Erroneous(node.span, left, right)
        first, second, result = types
        if nodes and (type(nodes[0]) is not c.Name or op not in SILENT_ON_VARIABLES):
            self.checks.operation(op, nodes, left, right, first, node)
        if one is not first:
            left = t.Convert(left.span, first, left)
        if other is not second:
            right = t.Convert(right.span, second, right)
        value = t.Binary(node.span, result, op, left, right)
        return self.with_warnings(value) if self._pending.warnings else value

    def _logical(self, node: c.Logical) -> Computation[t.Expression]:
        """``&&`` or ``||`` as a value: the left operand is a condition that skips the right one."""
        self.tree.logical(node)
        left = yield self.condition(node.left)
        right = self.assigned(BOOL, (yield self.part(node.right)), node.right)
        return t.Logical(node.span, TRUTH, node.op, left, right)

    # -------------------------------------------------------------------------------------------------- assignments

    def _assign(self, node: c.Assign) -> Step[t.Expression]:
        if node is not self.discarded or type(node.value) in (c.Assign, c.Increment):
            self.has_inner_change = True
        place = self._target(node.target, is_used=node.op is not None or node is not self.discarded)
        if place is None:
            return self._erroneous_assignment(node)
        if type(node.value) is c.Name and node.op is None and node.value.name == place.name:
            self.errors.warn("self-assign", f"`{place.name}` is assigned to itself", node.span)
        value = self._later(node.value) if type(node.value) is c.Assign else self.part(node.value)
        return after(value, self._assignment, node, place)

    def _assignment(self, value: t.Expression, node: c.Assign, place: t.Local) -> t.Expression:
        type = place.type
        if node.op is None:
            return t.Assign(node.span, type, place, self.assigned(type, value, node.value))
        old, right = t.Old(node.target.span, type, place), self.data(value, node.value)
        new = self.converted(type, self._arithmetic(node.op, old, right, node, (node.target, node.value)))
        return t.Update(node.span, type, old, new, is_postfix=False)

    def _erroneous_assignment(self, node: c.Assign) -> Computation[t.Expression]:
        targets = [(yield self.part(node.target))] if isinstance(node.target, c.Erroneous) else []
        return t.Erroneous(node.span, *targets, self.data((yield self.part(node.value)), node.value))

    def _later(self, node: c.Expression) -> Computation[t.Expression]:
        """The computation of a subexpression, not begun yet, since it may contain another one."""
        value: t.Expression = yield self.part(node)
        return value

    def _increment(self, node: c.Increment) -> t.Expression:
        if node is not self.discarded:
            self.has_inner_change = True
        place = self._target(node.operand)
        if place is None:
            return t.Erroneous(node.span)
        if place.type is BOOL:
            self.errors.warn("bool-operation", f"`{node.op}` of a truth value", node.span)
        old = t.Old(node.operand.span, place.type, place)
        changed = self._arithmetic(node.op[0], old, t.Constant(node.span, INT, 1), node)
        return t.Update(node.span, place.type, old, self.converted(place.type, changed), not node.prefix)

    def _target(self, node: c.Expression, is_used: bool = True) -> t.Local | None:
        """The variable to assign to; None if `node` is not a variable, which is reported.

        The variable counts as used, or else as assigned.
        """
        if not isinstance(node, c.Name):
            if not isinstance(node, c.Erroneous):
                self.errors.report("not-assignable", "only a variable can be assigned to", node.span)
            return None
        variable = self.scopes.find(node.name)
        if variable is None:
            self._no_variable(node)
            return None
        variable.is_assigned = True
        variable.is_used = variable.is_used or is_used
        if variable.is_constant:
            note = ("it is declared here", variable.span)
            self.errors.report("const", f"`{node.name}` is `const` and cannot be assigned to", node.span, notes=[note])
        if self._is_evaluated:
            self.function.assignments.setdefault(variable, []).append(node.span.start)
        return variable

    # ------------------------------------------------------------------------------------------------ other operators

    def _comma(self, node: c.Comma) -> Computation[t.Expression]:
        self.tree.unused(node.left, "the left operand of `,`")
        is_discarded = node is self.discarded
        self.discarded = node.left
        left = yield self.part(node.left)
        self.discarded = node.right if is_discarded else None
        right = yield self.part(node.right)
        return t.Comma(node.span, right.type, left, right)

    def _conditional(self, node: c.Conditional) -> Computation[t.Expression]:
        self.tree.condition(node.condition)
        condition = yield self.condition(node.condition)
        then, otherwise = (yield self.part(node.then)), (yield self.part(node.otherwise))
        type = self._type_of_both(then, otherwise, node)
        otherwise = self.with_warnings(otherwise)
        if isinstance(type, Arithmetic):
            then, otherwise = self.converted(type, then), self.converted(type, otherwise)
        if type is UNKNOWN:
            return t.Erroneous(node.span, t.Conditional(node.span, VOID, condition, then, otherwise))
        return t.Conditional(node.span, type, condition, then, otherwise)

    def _type_of_both(self, then: t.Expression, otherwise: t.Expression, node: c.Conditional) -> CType:
        """The type of a conditional expression with these operands; `UNKNOWN` if it is erroneous."""
        if then.type is otherwise.type and then.type in (VOID, STRING):
            return then.type
        if UNKNOWN in (then.type, otherwise.type):
            return UNKNOWN
        first, second = self.data(then, node.then), self.data(otherwise, node.otherwise)
        if UNKNOWN in (first.type, second.type):
            return UNKNOWN
        common = common_type(first.type, second.type)
        self.checks.choice(first, second, common, node)
        return common

    def _cast(self, node: c.Cast) -> Computation[t.Expression]:
        operand = yield self.part(node.operand)
        if node.type is UNKNOWN:
            return t.Erroneous(node.span, operand)
        if node.type is not VOID:
            operand = self.data(operand, node.operand)
            self.checks.cast(node)
        return t.Cast(node.span, node.type, operand)


def _negated(type: CType, value: float) -> float:
    return -value if isinstance(value, float) else wrapped(type, -int(value))
