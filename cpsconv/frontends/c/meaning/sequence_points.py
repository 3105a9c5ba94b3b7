"""Warnings of variables that are changed and used in one expression without a sequence point (C17 6.5, paragraph 2).

Changes of objects in memory are not followed: whether two places are the same is not known.
"""

from __future__ import annotations

from dataclasses import dataclass, field

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


@dataclass(slots=True)
class _Accesses:
    """The variables that an expression reads and changes, with the spans of the changes.

    The changes in `pending` may happen after the value of the expression is computed.
    """

    reads: set[str] = field(default_factory=set)
    changes: dict[str, Span] = field(default_factory=dict)
    pending: dict[str, Span] = field(default_factory=dict)


def _accesses(node: Expression, found: dict[str, Span]) -> Computation[_Accesses]:
    """The accesses of an expression. Conflicts are added to `found`."""
    match node:
        case c.Name():
            return _Accesses({node.name})
        case c.Increment(operand=c.Name(name=name)):
            return _Accesses(set(), {name: node.span}, {name: node.span})
        case c.Assign(target=c.Name(name=name)):
            value: _Accesses = yield _accesses(node.value, found)
            if name in value.pending:
                found.setdefault(name, node.span)
            value.reads.discard(name)
            value.changes[name] = value.pending[name] = node.span
            return value
        case c.Assign():  # of an object in memory: the address and the value are computed in any order
            return _unordered([(yield _accesses(node.target, found)), (yield _accesses(node.value, found))], found)
        case c.AddressOf(operand=c.Name()):
            return _Accesses()
        case c.Unary() | c.Cast() | c.Increment() | c.AddressOf() | c.Dereference() | c.Member():
            operand: _Accesses = yield _accesses(node.operand, found)
            return operand
        case c.Binary():
            return _unordered([(yield _accesses(node.left, found)), (yield _accesses(node.right, found))], found)
        case c.Subscript():
            return _unordered([(yield _accesses(node.array, found)), (yield _accesses(node.index, found))], found)
        case c.CallExpression():
            parts = [] if isinstance(node.callee, c.Name) else [(yield _accesses(node.callee, found))]
            for argument in node.arguments:
                parts.append((yield _accesses(argument, found)))
            called = _unordered(parts, found)
            called.pending = {}
            return called
        case c.Comma() | c.Logical():
            left, right = (yield _accesses(node.left, found)), (yield _accesses(node.right, found))
            left.pending = {}
            return _together([left, right])
        case c.Conditional():
            condition = yield _accesses(node.condition, found)
            condition.pending = {}
            arms = [arm for arm in (node.then, node.otherwise) if arm]
            parts = [condition]
            for arm in arms:
                parts.append((yield _accesses(arm, found)))
            return _together(parts)
    return _Accesses()


def _unordered(parts: list[_Accesses], found: dict[str, Span]) -> _Accesses:
    """The accesses of operands that are evaluated in any order."""
    for part in parts:
        for name, span in part.changes.items():
            if any(name in other.reads or name in other.changes for other in parts if other is not part):
                found.setdefault(name, span)
    return _together(parts)


def _together(parts: list[_Accesses]) -> _Accesses:
    """All accesses of `parts`, which are used up. Smaller sets are added to the largest one, in near-linear time."""
    largest = max(parts, key=lambda part: len(part.reads) + len(part.changes), default=_Accesses())
    for part in parts:
        if part is not largest:
            largest.reads |= part.reads
            largest.changes.update(part.changes)
            largest.pending.update(part.pending)
    return largest
