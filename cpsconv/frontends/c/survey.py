"""What lowering has to know of a function's body before it comes to it: jumps, cases, and what loops assign to."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Any

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
            kind = type(node)
            if kind in _NOTED:
                self._note(node, switch)
            if isinstance(node, c.Switch):
                switch = node
            for expression in _EXPRESSIONS[kind](node):
                self._survey_expression(expression)
            for child in reversed(_STATEMENTS[kind](node)):
                pending.append((child, switch))

    def _note(self, node: Statement, switch: c.Switch | None) -> None:
        """What a statement in the body of `switch` has to say by itself."""
        match node:
            case c.Label():
                self._label(node)
            case c.Goto():
                self.jumps.setdefault(node.name, node)
                self.gotos[node.name] += 1
            case c.Switch():
                self.cases[node] = []
            case c.Case() if switch is not None:
                self.cases[switch].append(node)
                self._pair(node, node.body)
            case c.Compound():
                for before, item in pairwise(node.items):
                    if isinstance(before, c.Case) and _is_empty(before.body):
                        self._pair(before, item)

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
            if isinstance(node, (c.Assign, c.Step)):
                self._assignment(node)
            pending += _OPERANDS[type(node)](node)

    def _assignment(self, node: c.Assign | c.Step) -> None:
        target = node.target if isinstance(node, c.Assign) else node.operand
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


def _none(node: object) -> tuple[()]:
    return ()


def _body(node: Any) -> tuple[Statement]:
    return (node.body,)


def _condition(node: Any) -> tuple[Expression]:
    return (node.condition,)


def _operand(node: Any) -> tuple[Expression]:
    return (node.operand,)


_NOTED = {c.Label, c.Goto, c.Switch, c.Case, c.Compound}

_STATEMENTS: dict[type, Callable[[Any], Sequence[Statement]]] = {
    c.Compound: attrgetter("items"),
    c.If: lambda node: (node.then, node.otherwise) if node.otherwise else (node.then,),
    c.For: attrgetter("first", "body"),
    **dict.fromkeys((c.While, c.Do, c.Switch, c.Case, c.Label), _body),
    **dict.fromkeys((c.Declaration, c.ExpressionStatement, c.Goto, c.Break, c.Continue, c.Return), _none),
}
"""The statements directly in a statement, in source order."""

_EXPRESSIONS: dict[type, Callable[[Any], Sequence[Expression]]] = {
    c.ExpressionStatement: lambda node: (node.expression,) if node.expression else (),
    c.Declaration: lambda node: [each.initialiser for each in node.declarators if each.initialiser],
    **dict.fromkeys((c.If, c.While, c.Do), _condition),
    c.For: lambda node: [part for part in (node.condition, node.step) if part],
    c.Switch: lambda node: (node.value,),
    c.Return: lambda node: (node.value,) if node.value else (),
    **dict.fromkeys((c.Compound, c.Case, c.Label, c.Goto, c.Break, c.Continue), _none),
}
"""The expressions directly in a statement that are evaluated."""

_OPERANDS: dict[type, Callable[[Any], Sequence[Expression]]] = {
    **dict.fromkeys((c.Literal, c.StringLiteral, c.Name, c.SizeOf, c.Step), _none),
    **dict.fromkeys((c.Binary, c.Logical, c.Comma), attrgetter("left", "right")),
    **dict.fromkeys((c.Unary, c.Cast), _operand),
    c.Assign: lambda node: (node.value,),
    c.Conditional: attrgetter("condition", "then", "otherwise"),
    c.CallExpression: attrgetter("arguments"),
}
"""The expressions directly in an expression that are evaluated, but for a variable that is assigned to."""
