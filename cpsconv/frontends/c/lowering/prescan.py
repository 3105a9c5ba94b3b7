"""The prescan of a function body: its labels, `goto`s and cases, and the variables that each loop assigns."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import Any

from cpsconv.construction import Variable
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.syntax.tree import Statement
from cpsconv.source import Span


class Prescan:
    """The result of one walk over a function body.

    - `labels` maps each name to its first label, `repeated` lists the other labels.
    - `first_gotos` maps each name to its first `goto`, `gotos` counts all of them.
    - `cases` lists the cases of each `switch` in source order. `follows` maps a case to the case before it, if no
      statement separates them. `before` and `after` map a case to the statements before and after it.
    """

    def __init__(self, body: c.Compound) -> None:
        self.labels: dict[str, c.Label] = {}
        self.repeated: list[c.Label] = []
        self.first_gotos: dict[str, c.Goto] = {}
        self.gotos: Counter[str] = Counter()
        self.cases: dict[c.Switch, list[c.Case]] = {}
        self.follows: dict[c.Case, c.Case] = {}
        self._assigned: dict[str, list[int]] = {}
        self._label_starts: list[int] = []
        self.before: dict[c.Case, Statement] = {}
        self.after: dict[c.Case, Statement] = {}
        found = _nodes_in(body)
        for switch in found[c.Switch]:  # appended to during iteration
            within = _nodes_in(switch.body)
            self._record_cases(switch, within)
            for kind in _RECORDED:
                found[kind] += within[kind]
        self._record_labels(found)
        self._record_assignments(found)

    def assigned_within(self, span: Span) -> AssignedWithin:
        """The variables that the statement with that span may assign.

        The set contains every variable with the name of an assigned variable, since names are not resolved yet.
        """
        return AssignedWithin(self._assigned, span)

    def has_label_within(self, span: Span) -> bool:
        """Whether the statement with that span contains a label."""
        return starts_within(self._label_starts, span)

    def _record_cases(self, switch: c.Switch, within: _Nodes) -> None:
        self.cases[switch] = sorted(within[c.Case], key=_start)
        pairs = [(case, case.body) for case in within[c.Case]]
        for compound in within[c.Compound]:
            pairs += pairwise(compound.items)  # in a block, the body of a case is a null statement
            self._record_surroundings(compound)
        for before, item in pairs:
            if isinstance(before, c.Case) and isinstance(item, c.Case):
                self.follows[item] = before

    def _record_surroundings(self, compound: c.Compound) -> None:
        for before, item in pairwise(item for item in compound.items if type(item) is not c.Label):
            if isinstance(before, c.Case):
                self.after[before] = item
            elif isinstance(item, c.Case):
                self.before[item] = before

    def _record_labels(self, found: _Nodes) -> None:
        for label in sorted(found[c.Label], key=_start):
            self._label_starts.append(label.span.start)
            if self.labels.setdefault(label.name, label) is not label:
                self.repeated.append(label)
        for goto in sorted(found[c.Goto], key=_start):
            self.first_gotos.setdefault(goto.name, goto)
            self.gotos[goto.name] += 1

    def _record_assignments(self, found: _Nodes) -> None:
        targets = [node.target for node in found[c.Assign]] + [node.operand for node in found[c.Increment]]
        for target in targets:
            if isinstance(target, c.Name):
                self._assigned.setdefault(target.name, []).append(target.span.start)
        for offsets in self._assigned.values():
            offsets.sort()


@dataclass(eq=False, repr=False, slots=True)
class AssignedWithin:
    """The variables whose names are assigned in a span: `assigned` has the ascending offsets for each name."""

    assigned: dict[str, list[int]]
    span: Span

    def __contains__(self, variable: object) -> bool:
        assert isinstance(variable, Variable)
        return starts_within(self.assigned.get(variable.name, []), self.span)


def starts_within(starts: list[int], span: Span) -> bool:
    """Whether one of the offsets, which are in ascending order, is in the span."""
    index = bisect_left(starts, span.start)
    return index < len(starts) and starts[index] < span.end


_start: Callable[[Any], int] = attrgetter("span.start")

_Nodes = dict[type, list[Any]]
"""Nodes by type."""


def _nodes_in(statement: Statement) -> _Nodes:
    """The recorded nodes in a statement, unordered. The body of a `switch` is not entered."""
    found: _Nodes = {kind: [] for kind in _RECORDED}
    nodes: list[Any] = [statement]
    for node in nodes:  # appended to during iteration
        kind = type(node)
        if kind in _PARTS:
            nodes += _PARTS[kind](node)
            if kind in found:
                found[kind].append(node)
    return found


_RECORDED = (c.Label, c.Goto, c.Switch, c.Case, c.Compound, c.Assign, c.Increment)

_PARTS: dict[type, Callable[[Any], Iterable[Any]]] = {
    c.Compound: attrgetter("items"),
    c.Declaration: attrgetter("declarators"),
    c.Declarator: lambda node: (node.initialiser,),
    c.ExpressionStatement: lambda node: (node.expression,),
    c.If: attrgetter("condition", "then", "otherwise"),
    c.While: attrgetter("condition", "body"),
    c.Do: attrgetter("body", "condition"),
    c.For: attrgetter("first", "condition", "step", "body"),
    c.Switch: lambda node: (node.value,),
    c.Case: lambda node: (node.body,),
    c.Label: lambda node: (node.body,),
    c.Goto: lambda node: (),
    c.Return: lambda node: (node.value,),
    c.Unary: lambda node: (node.operand,),
    c.Binary: attrgetter("left", "right"),
    c.Logical: attrgetter("left", "right"),
    c.Conditional: attrgetter("condition", "then", "otherwise"),
    c.Assign: lambda node: (node.value,),
    c.Increment: lambda node: (),
    c.Comma: attrgetter("left", "right"),
    c.Cast: lambda node: (node.operand,),
    c.CallExpression: attrgetter("arguments"),
}
"""The evaluated parts of each type of node; None for a missing part. Nodes of other types have no parts to visit.

The operand of `sizeof` is not evaluated, and the target of an assignment has no parts.
"""
