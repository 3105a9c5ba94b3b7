"""Implicit conversions of lowered values (C17 6.3), and conditions: expressions that determine a branch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cpsconv.construction import Block, Variable
from cpsconv.frontends.c.diagnostics import POISON, Errors
from cpsconv.frontends.c.lowering.emission import Emitter
from cpsconv.frontends.c.lowering.value_warnings import ValueWarnings
from cpsconv.frontends.c.meaning.declarations import Functions, Scopes
from cpsconv.frontends.c.meaning.tree_warnings import TreeWarnings
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.syntax.tree import Expression
from cpsconv.frontends.c.types import converted_constant, zero_like
from cpsconv.ir import BOOL, STRING, Constant, Function, Scalar, Undef, Value
from cpsconv.source import Span
from cpsconv.trampoline import Computation, Step, run

_RIGHT_NAMES = {"&&": "and", "||": "or"}
"""The name of the continuation that computes the right operand."""


@dataclass(eq=False, repr=False)
class Conversions:
    """Converts the values of expressions, and lowers conditions to transfers.

    The value of a `void` expression is None, of an erroneous one `POISON`. No value is computed for `&&`, `||`, `!` and
    `?:` in a condition.

    The fields are the state of the lowering of one function. `built` has the functions that the program defines, by
    name.
    """

    definition: c.FunctionDeclaration
    functions: Functions
    built: dict[str, Function]
    emit: Emitter
    scopes: Scopes
    errors: Errors

    def __post_init__(self) -> None:
        self.has_inner_change = False
        self.tree = TreeWarnings(self.errors)
        self.checks = ValueWarnings(self.errors, self.scopes, lambda: self.emit.live)
        self._conditions: dict[type, Callable[[Any, Block, Block], Step[None]]] = {
            c.Literal: self._constant_branch,
            c.StringLiteral: self._constant_branch,
            c.Unary: self._unary_branch,
            c.Logical: self._logical_branch,
            c.Conditional: self._conditional_branch,
            c.Comma: self._comma_branch,
        }

    def data(self, value: Value | None, node: Expression) -> Value:
        """`value`, the value of `node`. Reports `void` expressions and strings, and returns `POISON` for them."""
        if value is None:
            return self.errors.report("void", "expected a value, but this expression is `void`", node.span)
        if value.type is STRING:
            return self.errors.report("unsupported", "strings are not supported yet, except to print them", node.span)
        return value

    def assigned(self, type: Scalar, value: Value | None, node: Expression) -> Value:
        """The value of `node`, converted as if by assignment to a variable of that type."""
        if value is not None and value.type is type:
            return value
        if value is not None and value.type is STRING:
            if type is BOOL:
                return Constant(BOOL, True)  # a string is a pointer that is not null
            return self.errors.report("type-mismatch", f"expected `{type}`, but this is a string", origin(node).span)
        self.checks.conversion(type, node)
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
            return self.emit.primitive("!=", value, zero_like(value), span=span)
        return self.emit.convert(target, value, span)

    def truth(self, value: Value | None, node: Expression) -> Value:
        """Whether the value of `node` is not zero."""
        return self.assigned(BOOL, value, node)

    def part(self, node: Expression) -> Step[Value | None]:
        """The value of a subexpression, or the computation of the value. Defined in `Expressions`."""
        raise NotImplementedError

    def branch(self, node: Expression, then: Block, otherwise: Block) -> None:
        """Branch to `then` if the expression is not zero, else to `otherwise`."""
        if type(node) in self._conditions:
            run(self.condition(node, then, otherwise))
        else:  # the frequent case: one value decides
            self._branch_on(run(self.part(node)), node, then, otherwise)
        if self.has_inner_change:
            self.check_sequence(node)

    def check_sequence(self, node: Expression) -> None:
        """Check a whole expression in which an operand changes a variable."""
        from cpsconv.frontends.c.meaning.sequence_points import warn_of_sequence  # late: few programs need it

        self.has_inner_change = False
        warn_of_sequence(node, self.errors)

    def condition(self, node: Expression, then: Block, otherwise: Block) -> Step[None]:
        """Branch as `branch` does, within the computation of an expression."""
        return self._conditions.get(type(node), self._value_branch)(node, then, otherwise)

    def logical(self, node: c.Logical) -> Computation[Value]:
        """The value of ``&&`` or ``||``: the left operand is a condition that skips the right one."""
        self.tree.logical(node)
        name, decided = ("both", False) if node.op == "&&" else ("either", True)
        variable = Variable(name, BOOL, node.span)
        right = self.emit.continuation(_RIGHT_NAMES[node.op], span=node.right.span)
        join = self.emit.continuation("join", span=node.span)
        self.emit.write(variable, Constant(BOOL, decided), node.left.span)
        yield self.condition(node.left, *((join, right) if decided else (right, join)))
        self.emit.open(right)
        truth = self.truth((yield self.part(node.right)), node.right)
        self.emit.write(variable, truth, node.right.span)
        self.emit.jump(join)
        self.emit.open(join)
        return self.emit.read(variable, node.span)

    def _value_branch(self, node: Expression, then: Block, otherwise: Block) -> Computation[None]:
        self._branch_on((yield self.part(node)), node, then, otherwise)

    def _branch_on(self, value: Value | None, node: Expression, then: Block, otherwise: Block) -> None:
        self.emit.branch(self.truth(value, node), then, otherwise, node.span)

    def _constant_branch(self, node: c.Literal | c.StringLiteral, then: Block, otherwise: Block) -> None:
        holds = isinstance(node, c.StringLiteral) or node.value
        self.emit.jump(then if holds else otherwise, node.span)

    def _unary_branch(self, node: c.Unary, then: Block, otherwise: Block) -> Computation[None]:
        if node.op == "!":
            yield self.condition(node.operand, otherwise, then)
        else:
            yield self._value_branch(node, then, otherwise)

    def _logical_branch(self, node: c.Logical, then: Block, otherwise: Block) -> Computation[None]:
        self.tree.logical(node)
        right = self.emit.continuation(_RIGHT_NAMES[node.op], span=node.right.span)
        yield self.condition(node.left, *((right, otherwise) if node.op == "&&" else (then, right)))
        self.emit.open(right)
        yield self.condition(node.right, then, otherwise)

    def _conditional_branch(self, node: c.Conditional, then: Block, otherwise: Block) -> Computation[None]:
        self.tree.condition(node.condition)
        first = self.emit.continuation("then", span=node.then.span)
        second = self.emit.continuation("else", span=node.otherwise.span)
        yield self.condition(node.condition, first, second)
        self.emit.open(first)
        yield self.condition(node.then, then, otherwise)
        self.emit.open(second)
        yield self.condition(node.otherwise, then, otherwise)

    def _comma_branch(self, node: c.Comma, then: Block, otherwise: Block) -> Computation[None]:
        self.tree.unused(node.left, "the left operand of `,`")
        yield self.part(node.left)
        yield self.condition(node.right, then, otherwise)


def origin(node: Expression) -> Expression:
    """The subexpression that computes the value of an expression: the right operand of assignments and commas."""
    while True:
        if type(node) is c.Comma:
            node = node.right
        elif type(node) is c.Assign and node.op is None:
            node = node.value
        else:
            return node
