"""Conditions: expressions that determine a branch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cpsconv.construction import Block, Variable
from cpsconv.frontends.c.lowering.conversions import Context, Conversions
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.syntax.tree import Expression
from cpsconv.ir import BOOL, Constant, Value
from cpsconv.trampoline import Computation, Step, run

_RIGHT_NAMES = {"&&": "and", "||": "or"}
"""The name of the continuation that computes the right operand."""


class Conditions(Conversions):
    """Lowers conditions to transfers. No value is computed for `&&`, `||`, `!` and `?:` in a condition."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._conditions: dict[type, Callable[[Any, Block, Block], Step[None]]] = {
            c.Literal: self._constant_branch,
            c.StringLiteral: self._constant_branch,
            c.Unary: self._unary_branch,
            c.Logical: self._logical_branch,
            c.Conditional: self._conditional_branch,
            c.Comma: self._comma_branch,
        }

    def part(self, node: Expression) -> Step[Value | None]:
        """The value of a subexpression, or the computation of the value. Defined in `Expressions`."""
        raise NotImplementedError

    def branch(self, node: Expression, then: Block, otherwise: Block) -> None:
        """Branch to `then` if the expression is not zero, else to `otherwise`."""
        if type(node) in self._conditions:
            run(self.condition(node, then, otherwise))
        else:  # the frequent case: one value decides
            self._branch_on(run(self.part(node)), node, then, otherwise)

    def condition(self, node: Expression, then: Block, otherwise: Block) -> Step[None]:
        """Branch as `branch` does, within the computation of an expression."""
        return self._conditions.get(type(node), self._value_branch)(node, then, otherwise)

    def logical(self, node: c.Logical) -> Computation[Value]:
        """The value of ``&&`` or ``||``: the left operand is a condition that skips the right one."""
        name, decided = ("both", False) if node.op == "&&" else ("either", True)
        variable = Variable(name, BOOL, node.span)
        right = self._emit.continuation(_RIGHT_NAMES[node.op], span=node.right.span)
        join = self._emit.continuation("join", span=node.span)
        self._emit.write(variable, Constant(BOOL, decided), node.left.span)
        yield self.condition(node.left, *((join, right) if decided else (right, join)))
        self._emit.open(right)
        truth = self.truth((yield self.part(node.right)), node.right)
        self._emit.write(variable, truth, node.right.span)
        self._emit.jump(join)
        self._emit.open(join)
        return self._emit.read(variable, node.span)

    def _value_branch(self, node: Expression, then: Block, otherwise: Block) -> Computation[None]:
        self._branch_on((yield self.part(node)), node, then, otherwise)

    def _branch_on(self, value: Value | None, node: Expression, then: Block, otherwise: Block) -> None:
        self._emit.branch(self.truth(value, node), then, otherwise, node.span)

    def _constant_branch(self, node: c.Literal | c.StringLiteral, then: Block, otherwise: Block) -> None:
        holds = isinstance(node, c.StringLiteral) or node.value
        self._emit.jump(then if holds else otherwise, node.span)

    def _unary_branch(self, node: c.Unary, then: Block, otherwise: Block) -> Computation[None]:
        if node.op == "!":
            yield self.condition(node.operand, otherwise, then)
        else:
            yield self._value_branch(node, then, otherwise)

    def _logical_branch(self, node: c.Logical, then: Block, otherwise: Block) -> Computation[None]:
        right = self._emit.continuation(_RIGHT_NAMES[node.op], span=node.right.span)
        yield self.condition(node.left, *((right, otherwise) if node.op == "&&" else (then, right)))
        self._emit.open(right)
        yield self.condition(node.right, then, otherwise)

    def _conditional_branch(self, node: c.Conditional, then: Block, otherwise: Block) -> Computation[None]:
        first = self._emit.continuation("then", span=node.then.span)
        second = self._emit.continuation("else", span=node.otherwise.span)
        yield self.condition(node.condition, first, second)
        self._emit.open(first)
        yield self.condition(node.then, then, otherwise)
        self._emit.open(second)
        yield self.condition(node.otherwise, then, otherwise)

    def _comma_branch(self, node: c.Comma, then: Block, otherwise: Block) -> Computation[None]:
        yield self.part(node.left)
        yield self.condition(node.right, then, otherwise)
