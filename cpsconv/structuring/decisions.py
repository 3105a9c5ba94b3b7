"""Where control goes: the transfers of a function as languages with `if` and ``&&`` see them.

A branch to a continuation that does nothing but branch again, with a way in common, is one decision: ``a && b``. So
short-circuit conditions are found again, of which the front end has made several continuations. What is left of the
graph is in `Ways`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, Union

from cpsconv.analysis.graph import reverse_postorder, reverse_postorder_from
from cpsconv.ir import Branch, Call, Constant, Continuation, Edge, Function, Jump, Switch, Target, Transfer, Value
from cpsconv.operations.table import constant_key

_FURTHEST = 8  # continuations that do nothing, when it is asked where two ways lead
_MOST_TESTS = 40  # in one decision: longer ones are hard to read, and compilers recur over them


@dataclass(frozen=True, eq=False, slots=True)
class Test:
    """Whether a `bool` is true; or, `negated`, whether it is false."""

    value: Value
    negated: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Combined:
    """Parts of which the next is only asked where those before do not decide. `op` is the C operator."""

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


def combined(op: Literal["&&", "||"], left: Condition, right: Condition) -> Condition:
    """Both conditions as one, flat where the operator repeats itself."""
    parts: list[Condition] = []
    for side in (left, right):
        parts += side.parts if isinstance(side, Combined) and side.op == op else [side]
    return Combined(op, tuple(parts))


@dataclass(eq=False, slots=True)
class Fork:
    """Two ways, decided by a condition."""

    condition: Condition
    then: Edge
    otherwise: Edge


@dataclass(eq=False, slots=True)
class Choice:
    """Several ways, decided by the `value` of a switch: to each the cases that take it, and the `default`."""

    value: Value
    cases: list[tuple[list[int], Edge]]
    default: Edge


Exit = Union[Fork, Choice, Transfer]
"""How a continuation ends: a transfer, or what stands for a branch or a switch."""


class Ways:
    """The graph of a function, in which decisions are one. Of its values some are written `in_place`, so are `calls`.

    Of its continuations, those that are `busy` do something even if all they compute is written in place; and some may
    have other `exits` than their transfers.

    `members` are its continuations in reverse postorder, the function first, without those that became part of a
    decision. `exits` tells how each of them ends. `arrivals` counts the ways that lead to each.
    """

    def __init__(
        self,
        function: Function,
        in_place: Collection[Value],
        calls: Mapping[Value, Call],
        busy: Collection[Continuation] = (),
        exits: Mapping[Continuation, Exit] = MappingProxyType({}),
    ) -> None:
        order = reverse_postorder(function)
        self._busy = busy
        self._in_place = in_place
        self._calls = calls
        self.exits: dict[Continuation, Exit] = {member: exits.get(member) or _exit(member) for member in order}
        self.arrivals: Counter[Target] = Counter()
        for member in order:
            self.arrivals.update(edge.target for edge in self.edges(member))
        for member in reversed(order):
            self._absorb(member)
        root: Continuation = function
        self.members = reverse_postorder_from(root, self.successors)

    def edges(self, member: Continuation) -> Sequence[Edge]:
        """One edge for each way on; cases of a switch that do the same are one way."""
        exit = self.exits[member]
        if isinstance(exit, Fork):
            return (exit.then, exit.otherwise)
        if isinstance(exit, Choice):
            return [*(edge for _, edge in exit.cases), exit.default]
        return exit.edges

    def successors(self, member: Continuation) -> list[Continuation]:
        """The continuations of the function that the ways lead to."""
        return [target for edge in self.edges(member) if (target := local_target(edge))]

    def is_empty(self, member: Continuation) -> bool:
        """Whether there is nothing to do before the exit."""
        return member not in self._busy and all(statement in self._in_place for statement in member.body)

    def _absorb(self, member: Continuation) -> None:
        """Make the decisions that follow directly on that of `member` a part of it."""
        while isinstance(fork := self.exits[member], Fork):
            for edge, other in ((fork.then, fork.otherwise), (fork.otherwise, fork.then)):
                following = self._decision(edge)
                if following and _counted(fork, following) <= _MOST_TESTS and _shares(following, other):
                    self._combine(member, fork, edge, following)
                    break
            else:
                return

    def _decision(self, edge: Edge) -> Fork | None:
        """The fork to which the edge leads, if nothing is done there but to decide, and nothing else leads there."""
        target = local_target(edge)
        if target is None or self.arrivals[target] != 1 or target.parameters or not self.is_empty(target):
            return None
        exit = self.exits[target]
        if isinstance(exit, Call):
            return self._decision_on(exit)
        return exit if isinstance(exit, Fork) else None

    def _decision_on(self, call: Call) -> Fork | None:
        """The fork that the result of a call decides, if nothing else is done after it."""
        target = local_target(call.then)
        if target is None or not self.is_empty(target) or not any(each in self._calls for each in target.parameters):
            return None
        exit = self.exits[target]
        return exit if isinstance(exit, Fork) else None

    def _combine(self, member: Continuation, fork: Fork, edge: Edge, following: Fork) -> None:
        """``&&`` if the second decision is asked where the first condition holds, else ``||``."""
        holds = edge is fork.then
        shared = fork.otherwise if holds else fork.then
        straight = _same(following.otherwise if holds else following.then, shared)
        second = following.condition if straight else negation(following.condition)
        on, off = following.then, following.otherwise
        if holds != straight:
            on, off = off, on
        condition = combined("&&" if holds else "||", fork.condition, second)
        self.exits[member] = Fork(condition, on, shared) if holds else Fork(condition, shared, on)
        self.arrivals[off.target] -= 1


def local_target(edge: Edge) -> Continuation | None:
    """The continuation of the same function that the edge leads to, if it does not leave the function."""
    target = edge.target
    return target if isinstance(target, Continuation) and not isinstance(target, Function) else None


def _exit(member: Continuation) -> Exit:
    transfer = member.transfer
    assert transfer is not None, f"{member.name} is under construction"
    if isinstance(transfer, Branch):
        return Fork(Test(transfer.condition), transfer.then, transfer.otherwise)
    return _choice(transfer) if isinstance(transfer, Switch) else transfer


def _choice(switch: Switch) -> Choice:
    """The ways of a switch, each with its cases; those that do what the default does are left out."""
    grouped: dict[object, tuple[list[int], Edge]] = {}
    for case, edge in zip(switch.cases, switch.targets, strict=True):
        grouped.setdefault(_key(edge), ([], edge))[0].append(case)
    grouped.pop(_key(switch.default), None)
    return Choice(switch.value, list(grouped.values()), switch.default)


def _counted(*forks: Fork) -> int:
    return sum(1 for fork in forks for _ in tests(fork.condition))


def _shares(fork: Fork, edge: Edge) -> bool:
    return _same(fork.then, edge) or _same(fork.otherwise, edge)


def _same(one: Edge, other: Edge) -> bool:
    if one is other:
        return True
    one, other = _straight(one), _straight(other)
    return one.target is other.target and _key(one) == _key(other)


def _straight(edge: Edge) -> Edge:
    """The edge, or one behind continuations of the function that take nothing and do nothing but jump on."""
    for _ in range(_FURTHEST):
        target = local_target(edge)
        if target is None or target.parameters or target.body or not isinstance(target.transfer, Jump):
            break
        if not local_target(target.transfer.edge):
            break
        edge = target.transfer.edge
    return edge


def _key(edge: Edge) -> object:
    """What edges that do the same have in common."""
    return edge.target, *map(_value_key, edge.arguments)


def _value_key(value: Value) -> object:
    return constant_key(value) if isinstance(value, Constant) else value
