"""Conditions: expressions that determine a branch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cpsconv.construction import Block, Variable
from cpsconv.frontends.c.emission import Emitter
from cpsconv.frontends.c.lowering.conversions import Conversions
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.syntax.tree import Expression
from cpsconv.ir import BOOL, Constant, Value
from cpsconv.trampoline import Computation, Step, run

Part = Callable[[Expression], "Step[Value | None]"]
"""Lowers a subexpression: returns its value, or the computation of the value."""

_RIGHT_NAMES = {"&&": "and", "||": "or"}
"""The name of the continuation with the right operand."""


class Conditions:
    """Lowers conditions to transfers, without a value for `&&`, `||`, `!` and `?:` in them."""

    def __init__(self, part: Part, conversions: Conversions, emit: Emitter) -> None:
        self._part = part
        self._truth = conversions.truth
        self._emit = emit
        self._conditions: dict[type, Callable[[Any, Block, Block], Step[None]]] = {
            c.Literal: self._constant,
            c.StringLiteral: self._constant,
            c.Unary: self._unary,
            c.Logical: self._logical,
            c.Conditional: self._conditional,
            c.Comma: self._comma,
        }

    def branch(self, node: Expression, then: Block, otherwise: Block) -> None:
        """Branch to `then` if the expression is not zero, else to `otherwise`."""
        if type(node) in self._conditions:
            run(self.condition(node, then, otherwise))
        else:  # the frequent case: one value decides
            self._branch_on(run(self._part(node)), node, then, otherwise)

    def condition(self, node: Expression, then: Block, otherwise: Block) -> Step[None]:
        """The work of `branch`, for a part of an expression."""
        return self._conditions.get(type(node), self._branch)(node, then, otherwise)

    def logical(self, node: c.Logical) -> Computation[Value]:
        """The value of ``&&`` or ``||``: the left operand is a condition that skips the right one."""
        name, decided = ("both", False) if node.op == "&&" else ("either", True)
        variable = Variable(name, BOOL, node.span)
        right = self._emit.continuation(_RIGHT_NAMES[node.op], span=node.right.span)
        join = self._emit.continuation("join", span=node.span)
        self._emit.write(variable, Constant(BOOL, decided), node.left.span)
        yield self.condition(node.left, *((join, right) if decided else (right, join)))
        self._emit.open(right)
        truth = self._truth((yield self._part(node.right)), node.right)
        self._emit.write(variable, truth, node.right.span)
        self._emit.jump(join)
        self._emit.open(join)
        return self._emit.read(variable, node.span)

    def _branch(self, node: Expression, then: Block, otherwise: Block) -> Computation[None]:
        self._branch_on((yield self._part(node)), node, then, otherwise)

    def _branch_on(self, value: Value | None, node: Expression, then: Block, otherwise: Block) -> None:
        self._emit.branch(self._truth(value, node), then, otherwise, node.span)

    def _constant(self, node: c.Literal | c.StringLiteral, then: Block, otherwise: Block) -> None:
        holds = isinstance(node, c.StringLiteral) or node.value
        self._emit.jump(then if holds else otherwise, node.span)

    def _unary(self, node: c.Unary, then: Block, otherwise: Block) -> Computation[None]:
        if node.op == "!":
            yield self.condition(node.operand, otherwise, then)
        else:
            yield self._branch(node, then, otherwise)

    def _logical(self, node: c.Logical, then: Block, otherwise: Block) -> Computation[None]:
        right = self._emit.continuation(_RIGHT_NAMES[node.op], span=node.right.span)
        yield self.condition(node.left, *((right, otherwise) if node.op == "&&" else (then, right)))
        self._emit.open(right)
        yield self.condition(node.right, then, otherwise)

    def _conditional(self, node: c.Conditional, then: Block, otherwise: Block) -> Computation[None]:
        first = self._emit.continuation("then", span=node.then.span)
        second = self._emit.continuation("else", span=node.otherwise.span)
        yield self.condition(node.condition, first, second)
        self._emit.open(first)
        yield self.condition(node.then, then, otherwise)
        self._emit.open(second)
        yield self.condition(node.otherwise, then, otherwise)

    def _comma(self, node: c.Comma, then: Block, otherwise: Block) -> Computation[None]:
        yield self._part(node.left)
        yield self.condition(node.right, then, otherwise)
