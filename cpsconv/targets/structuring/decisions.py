"""The control-flow graph of a function for languages with `if` and ``&&``.

A branch to a continuation that does nothing but branch again, where both share a target, becomes one decision:
``a && b``. This restores short-circuit conditions, for which the front end creates several continuations. The remaining
graph is a `DecisionGraph`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, Union

from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.analysis.graph import local_target, reverse_postorder, reverse_postorder_from
from cpsconv.core.ir import Branch, Call, Constant, Continuation, Edge, Function, Jump, Switch, Transfer, Value
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.table import constant_key

MAX_FORWARDING = 8  # empty continuations that are followed when two edges are compared
MAX_TESTS = 40  # in one decision: longer ones are hard to read, and compilers recur over them


class Test(metaclass=NodeType):
    """Whether a `bool` is true; or, `negated`, whether it is false."""

    value: Value
    negated: bool = False


class Combined(metaclass=NodeType):
    """A short-circuit condition: parts, evaluated in order until one decides. `op` is the C operator."""

    op: Literal["&&", "||"]
    parts: tuple[Condition, ...]


Condition = Union[Test, Combined]


def negation(condition: Condition) -> Condition:
    """The condition that holds where the given one does not (De Morgan)."""
    if isinstance(condition, Test):
        return Test(condition.value, not condition.negated)
    return Combined("||" if condition.op == "&&" else "&&", tuple(map(negation, condition.parts)))


def tests(condition: Condition) -> Iterator[Test]:
    """The single tests of a condition, in order."""
    if isinstance(condition, Test):
        yield condition
    else:
        for part in condition.parts:
            yield from tests(part)


class Decision(metaclass=NodeType):
    """A branch on a condition."""

    condition: Condition
    then: Edge
    otherwise: Edge


class Choice(metaclass=NodeType):
    """A switch on `value`: for each distinct edge its cases, and the `default` edge."""

    value: Value
    cases: list[tuple[list[int], Edge]]
    default: Edge


Terminator = Union[Decision, Choice, Transfer]
"""The end of a continuation: a `Decision` for a branch, a `Choice` for a switch, or a jump or call."""


class DecisionGraph:
    """The control-flow graph of a function, with decisions merged.

    Values `in_place` and the results of `calls` are written as part of an expression. A continuation in `nonempty` is
    never empty, even if all its values are written in place. `replaced` overrides transfers.

    `members` are the remaining continuations in reverse postorder, the function first; `terminators` has the end of
    each, `in_degree` the number of edges to each.
    """

    def __init__(
        self,
        function: Function,
        in_place: Collection[Value],
        calls: Mapping[Value, Call],
        nonempty: Collection[Continuation] = (),
        replaced: Mapping[Continuation, Terminator] = MappingProxyType({}),
    ) -> None:
        order = reverse_postorder(function)
        self._nonempty = nonempty
        self._in_place = in_place
        self._calls = calls
        self.terminators: dict[Continuation, Terminator] = {
            member: replaced.get(member) or _terminator(member) for member in order
        }
        self.in_degree = Counter(edge.target for member in order for edge in self.edges(member))
        for member in reversed(order):
            self._merge_decisions(member)
        root: Continuation = function
        self.members = reverse_postorder_from(root, self.successors)

    def edges(self, member: Continuation) -> Sequence[Edge]:
        """The outgoing edges; equivalent cases of a switch share one."""
        terminator = self.terminators[member]
        if isinstance(terminator, Decision):
            return (terminator.then, terminator.otherwise)
        if isinstance(terminator, Choice):
            return [*(edge for _, edge in terminator.cases), terminator.default]
        return terminator.edges

    def successors(self, member: Continuation) -> list[Continuation]:
        """The continuations of the function that the edges lead to."""
        return [target for edge in self.edges(member) if (target := local_target(edge))]

    def dominance(self) -> Dominance[Continuation]:
        """The dominance of the members."""
        return Dominance(self.members[0], self.successors, self.members)

    def is_empty(self, member: Continuation) -> bool:
        """Whether nothing is done before the terminator."""
        return member not in self._nonempty and all(statement in self._in_place for statement in member.body)

    def _merge_decisions(self, member: Continuation) -> None:
        """Merge the decisions that follow directly on the decision of `member` into it."""
        while isinstance(decision := self.terminators[member], Decision):
            for edge, other in ((decision.then, decision.otherwise), (decision.otherwise, decision.then)):
                following = self._following(edge)
                if following and (_same(following.then, other) or _same(following.otherwise, other)):
                    count = sum(1 for each in (decision, following) for _ in tests(each.condition))
                    if count <= MAX_TESTS:
                        self._combine(member, decision, edge, following)
                        break
            else:
                return

    def _following(self, edge: Edge) -> Decision | None:
        """The decision that the edge leads to, if nothing is done before it and no other edge leads there.

        A call in place may precede the decision, since the call is written as part of the condition.
        """
        target = local_target(edge)
        if target is None or self.in_degree[target] != 1 or target.parameters or not self.is_empty(target):
            return None
        terminator = self.terminators[target]
        if isinstance(terminator, Call):
            after = local_target(terminator.then)
            if after is None or not self.is_empty(after) or not any(each in self._calls for each in after.parameters):
                return None
            terminator = self.terminators[after]
        return terminator if isinstance(terminator, Decision) else None

    def _combine(self, member: Continuation, first: Decision, edge: Edge, following: Decision) -> None:
        """``&&`` if the second decision follows where the first condition holds, else ``||``."""
        holds = edge is first.then
        shared = first.otherwise if holds else first.then
        straight = _same(following.otherwise if holds else following.then, shared)
        second = following.condition if straight else negation(following.condition)
        on, off = following.then, following.otherwise
        if holds != straight:
            on, off = off, on
        op: Literal["&&", "||"] = "&&" if holds else "||"
        parts: list[Condition] = []
        for part in (first.condition, second):  # nested uses of the same operator are flattened
            parts += part.parts if isinstance(part, Combined) and part.op == op else [part]
        condition = Combined(op, tuple(parts))
        self.terminators[member] = Decision(condition, on, shared) if holds else Decision(condition, shared, on)
        self.in_degree[off.target] -= 1


def _terminator(member: Continuation) -> Terminator:
    transfer = member.transfer
    assert transfer is not None, f"{member.name} is under construction"
    if isinstance(transfer, Branch):
        return Decision(Test(transfer.condition), transfer.then, transfer.otherwise)
    if not isinstance(transfer, Switch):
        return transfer
    grouped: dict[object, tuple[list[int], Edge]] = {}
    for case, edge in zip(transfer.cases, transfer.targets, strict=True):
        grouped.setdefault(_key(edge), ([], edge))[0].append(case)
    grouped.pop(_key(transfer.default), None)  # these cases need no edge of their own
    return Choice(transfer.value, list(grouped.values()), transfer.default)


def _same(one: Edge, other: Edge) -> bool:
    return one is other or _key(_forwarded(one)) == _key(_forwarded(other))


def _forwarded(edge: Edge) -> Edge:
    """The edge, or the one after continuations that have no parameters and do nothing but jump."""
    for _ in range(MAX_FORWARDING):
        target = local_target(edge)
        if target is None or target.parameters or target.body or not isinstance(target.transfer, Jump):
            break
        if not local_target(target.transfer.edge):
            break
        edge = target.transfer.edge
    return edge


def _key(edge: Edge) -> object:
    """A key that equivalent edges share."""
    keys = (constant_key(value) if isinstance(value, Constant) else value for value in edge.arguments)
    return edge.target, *keys
