"""What lowering has to know of a function's body before it comes to it: jumps, cases, and what loops assign to."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from operator import attrgetter
from typing import Any

from cpsconv.construction import Variable
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.syntax.tree import Statement
from cpsconv.source import Span


class Survey:
    """One walk over a function's body.

    `labels` are the labelled statements by name (the first of each name), `repeated` the others; `jumps` is the first
    `goto` to each name, `gotos` counts them. `cases` are those of each `switch`, in source order; `follows` maps a case
    that stands directly after another one, without a statement in between, to that one.
    """

    def __init__(self, body: c.Compound) -> None:
        self.labels: dict[str, c.Label] = {}
        self.repeated: list[c.Label] = []
        self.jumps: dict[str, c.Goto] = {}
        self.gotos: Counter[str] = Counter()
        self.cases: dict[c.Switch, list[c.Case]] = {}
        self.follows: dict[c.Case, c.Case] = {}
        self._assigned: dict[str, list[int]] = {}
        self._label_starts: list[int] = []
        found = _found_in(body)
        for switch in found[c.Switch]:  # grows by those in its body
            within = _found_in(switch.body)
            self._note_cases(switch, within)
            for kind in _KINDS:
                found[kind] += within[kind]
        self._note_labels(found)
        self._note_assignments(found)

    def assigned_within(self, span: Span) -> AssignedWithin:
        """The variables that the statement with that span can change.

        Taken by name, since what a name stands for is known only later: a variable is in the set if one of the same
        name is assigned there, which may be another.
        """
        return AssignedWithin(self._assigned, span.start, span.end)

    def has_label_within(self, span: Span) -> bool:
        """Whether there is a label in the statement with that span."""
        return starts_within(self._label_starts, span)

    def _note_cases(self, switch: c.Switch, within: _Found) -> None:
        self.cases[switch] = sorted(within[c.Case], key=_start)
        for case in within[c.Case]:
            self._pair(case, case.body)
        for compound in within[c.Compound]:
            for before, item in pairwise(compound.items):
                if isinstance(before, c.Case) and _is_empty(before.body):
                    self._pair(before, item)

    def _pair(self, case: c.Case, following: Statement) -> None:
        if isinstance(following, c.Case):
            self.follows[following] = case

    def _note_labels(self, found: _Found) -> None:
        for label in sorted(found[c.Label], key=_start):
            self._label_starts.append(label.span.start)
            if self.labels.setdefault(label.name, label) is not label:
                self.repeated.append(label)
        for goto in sorted(found[c.Goto], key=_start):
            self.jumps.setdefault(goto.name, goto)
            self.gotos[goto.name] += 1

    def _note_assignments(self, found: _Found) -> None:
        targets = [node.target for node in found[c.Assign]] + [node.operand for node in found[c.Step]]
        for target in targets:
            if isinstance(target, c.Name):
                self._assigned.setdefault(target.name, []).append(target.span.start)
        for places in self._assigned.values():
            places.sort()


class AssignedWithin:
    """The variables with the name of one that is assigned in a stretch of the source."""

    def __init__(self, assigned: dict[str, list[int]], start: int, end: int) -> None:
        self._assigned = assigned
        self._start = start
        self._end = end

    def __contains__(self, variable: object) -> bool:
        assert isinstance(variable, Variable)
        places = self._assigned.get(variable.name, [])
        index = bisect_left(places, self._start)
        return index < len(places) and places[index] < self._end


def starts_within(starts: list[int], span: Span) -> bool:
    """Whether one of the offsets, in ascending order, lies in the span."""
    index = bisect_left(starts, span.start)
    return index < len(starts) and starts[index] < span.end


def _is_empty(node: Statement) -> bool:
    return isinstance(node, c.ExpressionStatement) and node.expression is None


_start: Callable[[Any], int] = attrgetter("span.start")

_Found = dict[type, list[Any]]
"""Nodes by their type."""


def _found_in(statement: Statement) -> _Found:
    """What is to be noted of a statement, in no particular order; a `switch` stands for all that is in its body."""
    found: _Found = {kind: [] for kind in _KINDS}
    nodes: list[Any] = [statement]
    for node in nodes:  # grows by the parts of each
        kind = type(node)
        if kind in _PARTS:
            nodes += _PARTS[kind](node)
            if kind in found:
                found[kind].append(node)
    return found


_KINDS = (c.Label, c.Goto, c.Switch, c.Case, c.Compound, c.Assign, c.Step)

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
    c.Step: lambda node: (),
    c.Comma: attrgetter("left", "right"),
    c.Cast: lambda node: (node.operand,),
    c.CallExpression: attrgetter("arguments"),
}
"""The parts of a node that are carried out with it, None for what is left out. A node that is not here has none.

The operand of `sizeof` is not evaluated, and a variable that is assigned to has no parts.
"""
