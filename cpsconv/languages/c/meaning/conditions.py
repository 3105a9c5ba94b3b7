"""Conditions: expressions that decide a branch. ``!``, ``&&``, ``||``, ``?:`` and ``,`` have conditions as operands."""

from __future__ import annotations

from cpsconv.core.trampoline import Computation, Step, run
from cpsconv.languages.c.meaning.context import CONDITIONS, Typing, check_sequence, rule, typed, with_warnings
from cpsconv.languages.c.meaning.conversions import as_condition
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import BOOL, TRUTH


def typed_condition(typing: Typing, node: c.Expression) -> Step[c.Expression]:
    """The condition that the expression is not zero, or its computation."""
    return CONDITIONS.get(type(node), _value_condition)(typing, node)


def whole_condition(typing: Typing, node: c.Expression) -> c.Expression:
    """The condition that a whole expression is not zero."""
    if type(node) in CONDITIONS:
        condition: c.Expression = run(typed_condition(typing, node))
    else:  # the frequent case: one value decides
        condition = as_condition(typing, run(typed(typing, node)), node)
    if typing.has_inner_change:
        check_sequence(typing, node)
    return with_warnings(typing, condition) if typing.pending.warnings else condition


def _value_condition(typing: Typing, node: c.Expression) -> Computation[c.Expression]:
    return as_condition(typing, (yield typed(typing, node)), node)


@rule(CONDITIONS, c.Literal, c.StringLiteral)
def _constant_condition(typing: Typing, node: c.Literal | c.StringLiteral) -> c.Expression:
    return c.Literal(node.span, BOOL, isinstance(node, c.StringLiteral) or bool(node.value))


@rule(CONDITIONS, c.Unary)
def _unary_condition(typing: Typing, node: c.Unary) -> Step[c.Expression]:
    return _negation(typing, node) if node.op == "!" else _value_condition(typing, node)


def _negation(typing: Typing, node: c.Unary) -> Computation[c.Expression]:
    node.operand, node.type = (yield typed_condition(typing, node.operand)), TRUTH
    return node


@rule(CONDITIONS, c.Logical)
def _logical_condition(typing: Typing, node: c.Logical) -> Computation[c.Expression]:
    typing.tree.logical(node)
    left, right = (yield typed_condition(typing, node.left)), (yield typed_condition(typing, node.right))
    typing.checks.logical(node, left, right)
    return with_warnings(typing, node.become(left, right, TRUTH))


@rule(CONDITIONS, c.Conditional)
def _conditional_condition(typing: Typing, node: c.Conditional) -> Computation[c.Expression]:
    if node.then is None:
        return as_condition(typing, (yield typed(typing, node)), node)
    typing.tree.condition(node.condition)
    condition = yield typed_condition(typing, node.condition)
    then, otherwise = (yield typed_condition(typing, node.then)), (yield typed_condition(typing, node.otherwise))
    node.condition, node.then, node.otherwise, node.type = condition, then, otherwise, TRUTH
    return node


@rule(CONDITIONS, c.Comma)
def _comma_condition(typing: Typing, node: c.Comma) -> Computation[c.Expression]:
    typing.tree.unused(node.left, "the left operand of `,`")
    left, right = (yield typed(typing, node.left)), (yield typed_condition(typing, node.right))
    node.left, node.right, node.type = left, right, TRUTH
    return node
