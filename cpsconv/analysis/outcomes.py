"""CommonOutcomes: which way a branch or switch goes, and which of them every way to a continuation has in common.

A continuation that is entered only from one branch, by only one of its edges, is come to by that decision alone; and so
is, further on, all that it dominates. So the decisions that every way takes are found on the path down the
dominator tree. What lies between a fork and the join behind it is passed over: the way can be any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cpsconv.analysis.dominance import DominatorTree
from cpsconv.analysis.graph import successors
from cpsconv.ir import Branch, Continuation, Edge, Function, Switch
from cpsconv.source import Span

_MOST_CASES = 3  # that a message tells one by one


@dataclass(eq=False, slots=True)
class Outcome:
    """That control goes from `at`, which ends with a branch or a switch, along one of `edges`."""

    at: Continuation
    edges: Sequence[Edge]

    @property
    def span(self) -> Span | None:
        """What is decided by."""
        return self.at.transfer.span if self.at.transfer else None

    def __str__(self) -> str:
        return self.describe(_MOST_CASES)

    def describe(self, most_cases: int | None = None) -> str:
        """The decision in words. Of more cases than that, some are told by their number only."""
        transfer = self.at.transfer
        if isinstance(transfer, Branch):
            return f"this condition is {'true' if transfer.then is self.edges[0] else 'false'}"
        assert isinstance(transfer, Switch)
        chosen = set(self.edges)
        values = [str(case) for case, edge in zip(transfer.cases, transfer.targets, strict=True) if edge in chosen]
        if most_cases and len(values) > most_cases:
            values[most_cases - 1 :] = [f"one of {len(values) - most_cases + 1} others"]
        if transfer.default in chosen:
            values.append("none of the cases")
        return f"this value is {' or '.join(values)}"


def outcome_of(at: Continuation, edge: Edge) -> Outcome | None:
    """The decision to go along `edge`, which starts at `at`; None where there is no other way."""
    return Outcome(at, [edge]) if isinstance(at.transfer, (Branch, Switch)) else None


class CommonOutcomes:
    """The decisions that every way through a function to one of its continuations takes. `tree` is for reading."""

    def __init__(self, function: Function) -> None:
        self.tree = DominatorTree(function)
        order = self.tree.preorder()
        forks = _forks(order)
        self._nearest: dict[Continuation, Outcome | None] = {function: None}
        for member in order[1:]:
            self._nearest[member] = forks.get(member) or self._nearest[self.tree.parent[member]]

    def backwards(self, top: Continuation, bottom: Continuation) -> Iterator[Outcome]:
        """The decisions on every way from `top` to `bottom`, which it dominates, from the last one to the first."""
        found = self._nearest[bottom]
        while found and self.tree.dominates(top, found.at):
            yield found
            found = self._nearest[found.at]


def _forks(members: Iterable[Continuation]) -> dict[Continuation, Outcome]:
    """For each continuation that a single transfer mentions, but not in all of its slots, the decision to go there."""
    mentioned: dict[Continuation, set[Continuation]] = {}
    forks: dict[Continuation, Outcome] = {}
    for member in members:
        for target in successors(member):
            mentioned.setdefault(target, set()).add(member)
        forks.update(outcomes(member))
    return {target: fork for target, fork in forks.items() if len(mentioned[target]) == 1}


def outcomes(member: Continuation) -> dict[Continuation, Outcome]:
    """The continuations that a branch or switch decides between, each with the decision to go there."""
    if not isinstance(member.transfer, (Branch, Switch)):
        return {}
    groups: dict[Continuation, list[Edge]] = {}
    for edge in member.transfer.edges:
        if isinstance(edge.target, Continuation) and not isinstance(edge.target, Function):
            groups.setdefault(edge.target, []).append(edge)
    every = len(member.transfer.edges)
    return {target: Outcome(member, edges) for target, edges in groups.items() if len(edges) < every}
