"""Outcomes of branches and switches, and those common to all paths to a continuation.

If only one branch leads to a continuation, by only some of its edges, then this outcome is common to all paths to the
continuation, and to all paths to those that it dominates. So the common outcomes are found along the dominator tree;
branches before a join, after which all their outcomes meet, do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.graph import is_local, successors
from cpsconv.core.ir import Branch, Continuation, Edge, Function, Switch
from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Span

_MAX_CASES = 3  # listed in a message


class Outcome(metaclass=NodeType):
    """Control leaves `at`, which ends with a branch or switch, along one of `edges`."""

    at: Continuation
    edges: Sequence[Edge]

    @property
    def span(self) -> Span | None:
        """The span of the condition or of the value of the switch."""
        return self.at.transfer.span if self.at.transfer else None

    def __str__(self) -> str:
        return self.describe(_MAX_CASES)

    def describe(self, max_cases: int | None = None) -> str:
        """The outcome in words. If there are more than `max_cases` cases, the others are counted."""
        transfer = self.at.transfer
        if isinstance(transfer, Branch):
            return f"this condition is {'true' if transfer.then is self.edges[0] else 'false'}"
        assert isinstance(transfer, Switch)
        chosen = set(self.edges)
        values = [str(case) for case, edge in zip(transfer.cases, transfer.targets, strict=True) if edge in chosen]
        if max_cases and len(values) > max_cases:
            values[max_cases - 1 :] = [f"one of {len(values) - max_cases + 1} others"]
        if transfer.default in chosen:
            values.append("none of the cases")
        return f"this value is {' or '.join(values)}"


def outcome_of(at: Continuation, edge: Edge) -> Outcome | None:
    """The outcome that control takes `edge`, which leaves `at`; None if `at` does not branch."""
    return Outcome(at, [edge]) if isinstance(at.transfer, (Branch, Switch)) else None


class CommonOutcomes:
    """The outcomes common to all paths from the function to a continuation. `tree` is the dominator tree."""

    def __init__(self, function: Function) -> None:
        self.tree = DominatorTree(function)
        order = self.tree.preorder()
        required = _required_outcomes(order)
        self._nearest: dict[Continuation, Outcome | None] = {function: None}
        for member in order[1:]:
            self._nearest[member] = required.get(member) or self._nearest[self.tree.parent[member]]

    def backwards(self, top: Continuation, bottom: Continuation) -> Iterator[Outcome]:
        """The outcomes on all paths from `top` to `bottom`, which it dominates, last one first."""
        found = self._nearest[bottom]
        while found and self.tree.dominates(top, found.at):
            yield found
            found = self._nearest[found.at]


def _required_outcomes(members: Iterable[Continuation]) -> dict[Continuation, Outcome]:
    """The outcome that leads to a continuation, for each one that a single transfer leads to, not by all its edges."""
    predecessors: dict[Continuation, set[Continuation]] = {}
    found: dict[Continuation, Outcome] = {}
    for member in members:
        for target in successors(member):
            predecessors.setdefault(target, set()).add(member)
        found.update(outcomes(member))
    return {target: outcome for target, outcome in found.items() if len(predecessors[target]) == 1}


def outcomes(member: Continuation) -> dict[Continuation, Outcome]:
    """The targets of a branch or switch that are not its only target, each with the outcome that leads to it."""
    if not isinstance(member.transfer, (Branch, Switch)):
        return {}
    groups: dict[Continuation, list[Edge]] = {}
    for edge in member.transfer.edges:
        if is_local(edge.target):
            groups.setdefault(edge.target, []).append(edge)
    every = len(member.transfer.edges)
    return {target: Outcome(member, edges) for target, edges in groups.items() if len(edges) < every}
