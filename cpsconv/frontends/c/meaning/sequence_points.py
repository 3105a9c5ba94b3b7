"""Warnings of variables that are changed and used in one expression without a sequence point (C17 6.5, paragraph 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cpsconv.frontends.c.diagnostics import Errors
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.syntax.tree import Expression
from cpsconv.source import Span
from cpsconv.trampoline import Computation, run


def warn_of_sequence(expression: Expression, errors: Errors) -> None:
    """Warn of each variable whose value in an expression depends on the order in which operands are evaluated."""
    found: dict[str, Span] = {}
    run(_accesses(expression, found))
    for name, span in found.items():
        message = f"the order of the change of `{name}` and its other use in this expression is undefined"
        errors.warn("sequence-point", message, span)


class _Accesses(NamedTuple):
    """The variables that an expression reads and changes, with the places of the changes.

    The changes in `pending` may take place after the value of the expression is computed.
    """

    reads: frozenset[str] = frozenset()
    changes: Mapping[str, Span] = {}
    pending: Mapping[str, Span] = {}


def _accesses(node: Expression, found: dict[str, Span]) -> Computation[_Accesses]:
    """The accesses of an expression. Conflicts are added to `found`."""
    match node:
        case c.Name():
            return _Accesses(frozenset([node.name]))
        case c.Increment(operand=c.Name(name=name)):
            return _Accesses(frozenset(), {name: node.span}, {name: node.span})
        case c.Assign(target=c.Name(name=name)):
            value = yield _accesses(node.value, found)
            if name in value.pending:
                found.setdefault(name, node.span)
            change = {name: node.span}
            return _Accesses(value.reads - {name}, {**value.changes, **change}, {**value.pending, **change})
        case c.Unary() | c.Cast():
            operand: _Accesses = yield _accesses(node.operand, found)
            return operand
        case c.Binary():
            return _unordered([(yield _accesses(node.left, found)), (yield _accesses(node.right, found))], found)
        case c.CallExpression():
            parts = []
            for argument in node.arguments:
                parts.append((yield _accesses(argument, found)))
            return _unordered(parts, found)._replace(pending={})
        case c.Comma() | c.Logical():
            left, right = (yield _accesses(node.left, found)), (yield _accesses(node.right, found))
            return _together([left, right], [right])
        case c.Conditional():
            condition = yield _accesses(node.condition, found)
            arms = [(yield _accesses(node.then, found)), (yield _accesses(node.otherwise, found))]
            return _together([condition, *arms], arms)
    return _Accesses()


def _unordered(parts: list[_Accesses], found: dict[str, Span]) -> _Accesses:
    """The accesses of operands that are evaluated in any order."""
    for part in parts:
        for name, span in part.changes.items():
            if any(name in other.reads or name in other.changes for other in parts if other is not part):
                found.setdefault(name, span)
    return _together(parts, parts)


def _together(parts: list[_Accesses], last: list[_Accesses]) -> _Accesses:
    """All accesses of `parts`. Only changes in `last` may be pending."""
    changes = {name: span for part in parts for name, span in part.changes.items()}
    pending = {name: span for part in last for name, span in part.pending.items()}
    return _Accesses(frozenset().union(*(part.reads for part in parts)), changes, pending)
