"""What lowering has to know of a function's body before it comes to it: jumps, cases, and what loops assign to."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import pairwise

from cpsconv.build import Variable
from cpsconv.frontends.c import syntax as c
from cpsconv.frontends.c.syntax import Expression, Statement
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
        self._survey_statements(body)
        self._label_starts.sort()
        for places in self._assigned.values():
            places.sort()

    def assigned_within(self, span: Span) -> AssignedWithin:
        """The variables that the statement with that span can change.

        Taken by name, since what a name stands for is known only later: a variable is in the set if one of the same
        name is assigned there, which may be another.
        """
        return AssignedWithin(self._assigned, span.start, span.end)

    def has_label_within(self, span: Span) -> bool:
        """Whether there is a label in the statement with that span."""
        return starts_within(self._label_starts, span)

    def _survey_statements(self, body: c.Compound) -> None:
        pending: list[tuple[Statement, c.Switch | None]] = [(body, None)]
        while pending:
            node, switch = pending.pop()
            match node:
                case c.Label():
                    self._label(node)
                case c.Goto():
                    self.jumps.setdefault(node.name, node)
                    self.gotos[node.name] += 1
                case c.Switch():
                    switch = node
                    self.cases[node] = []
                case c.Case() if switch is not None:
                    self.cases[switch].append(node)
                    self._pair(node, node.body)
                case c.Compound():
                    for before, item in pairwise(node.items):
                        if isinstance(before, c.Case) and _is_empty(before.body):
                            self._pair(before, item)
            for expression in _expressions(node):
                self._survey_expression(expression)
            pending += [(child, switch) for child in reversed(_statements(node))]

    def _pair(self, case: c.Case, following: Statement) -> None:
        if isinstance(following, c.Case):
            self.follows[following] = case

    def _label(self, node: c.Label) -> None:
        self._label_starts.append(node.span.start)
        if self.labels.setdefault(node.name, node) is not node:
            self.repeated.append(node)

    def _survey_expression(self, expression: Expression) -> None:
        pending = [expression]
        while pending:
            node = pending.pop()
            match node:
                case c.Literal() | c.Name() | c.StringLiteral():
                    continue
                case c.Binary() | c.Logical() | c.Comma():
                    pending += (node.left, node.right)
                case c.Assign(_, _, target, value):
                    self._assignment(target)
                    pending.append(value)
                case c.Step(_, _, target):
                    self._assignment(target)
                case c.Unary() | c.Cast():
                    pending.append(node.operand)
                case c.Conditional():
                    pending += (node.condition, node.then, node.otherwise)
                case c.CallExpression():
                    pending += node.arguments

    def _assignment(self, target: Expression) -> None:
        if isinstance(target, c.Name):
            self._assigned.setdefault(target.name, []).append(target.span.start)


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


def _statements(node: Statement) -> list[Statement]:
    """The statements directly in `node`, in source order."""
    match node:
        case c.Compound():
            return node.items
        case c.If():
            return [node.then, node.otherwise] if node.otherwise else [node.then]
        case c.For():
            return [node.first, node.body]
        case c.While() | c.Do() | c.Switch() | c.Case() | c.Label():
            return [node.body]
    return []


def _expressions(node: Statement) -> list[Expression]:
    """The expressions directly in `node` that are evaluated."""
    match node:
        case c.ExpressionStatement():
            return [node.expression] if node.expression else []
        case c.Declaration():
            return [declarator.initialiser for declarator in node.declarators if declarator.initialiser]
        case c.If() | c.While() | c.Do():
            return [node.condition]
        case c.For():
            return [part for part in (node.condition, node.step) if part]
        case c.Switch():
            return [node.value]
        case c.Return():
            return [node.value] if node.value else []
    return []
