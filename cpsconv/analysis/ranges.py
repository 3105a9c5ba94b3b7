"""Which integers the values of a program can be: an interval for each, as far as that is easily known.

Abstract interpretation (Cousot and Cousot, POPL 1977). Each function is visited along its dominator tree, and what each
edge passes is collected for its target. So all that comes to a continuation has been seen before it is visited, except
for what goes round. Of the *heads* (headers of loops, functions, and what these return) something is *assumed*. Where
more is collected than was assumed, that is assumed from then on, and there is another round. A bound that keeps moving
becomes that of the type, so that rounds are few. In the end, no more need be assumed than was collected.

A branch tells something of the values that are compared. That holds in all that is dominated by a continuation to which
only this way leads, and so it is known while that part of the tree is visited.

What leaves the range of its type wraps around. An undefined value is none, for who uses one does not come any further.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isqrt
from typing import Union

from cpsconv.analysis.dominance import Dominance
from cpsconv.analysis.graph import depth_first, functions_used, incoming, reverse_postorder, successors
from cpsconv.ir import (
    BOOL,
    Branch,
    Call,
    Constant,
    Continuation,
    ContinuationType,
    Edge,
    Function,
    Parameter,
    Primitive,
    Scalar,
    Statement,
    Switch,
    Target,
    Transfer,
    Type,
    Value,
)
from cpsconv.operations.intervals import Interval, has_interval, join, type_interval, wrapped
from cpsconv.operations.table import CONVERT, OPERATIONS, opposite
from cpsconv.operations.types import range_of

Place = Union[Parameter, "tuple[Function, int]"]
"""Where a value arrives: at a parameter, or as what a function returns, by its index."""

_PATIENCE = 3  # rounds in which the bounds of heads may move
_MOST_ROUNDS = 30
_LAST_ROUNDS = 2  # in which less is assumed


def exact_interval(primitive: Primitive, operands: Sequence[Interval]) -> Interval:
    """The interval of an integer result for operands in these intervals, before it is wrapped to its type."""
    rule = OPERATIONS[primitive.op].interval
    if rule is None or primitive.type is BOOL or not has_interval(primitive.operands[0].type):
        return type_interval(primitive.type)
    return rule(primitive.type, *operands)


@dataclass(frozen=True, slots=True)
class Ranges:
    """What is known of the integers of a program that is started at one of its functions. A `bool` is 0 or 1.

    `places` has parameters, and what functions return; `operands` has the operands of primitives, as they are where
    these are computed. What is missing is not known, or never happens.
    """

    places: Mapping[Place, Interval] = field(default_factory=dict)
    operands: Mapping[Primitive, tuple[Interval, ...]] = field(default_factory=dict)

    def of_operands(self, primitive: Primitive) -> tuple[Interval, ...]:
        """The intervals of the operands; those of their types if no more is known."""
        known = self.operands.get(primitive)
        return tuple(type_interval(operand.type) for operand in primitive.operands) if known is None else known


def ranges(entry: Function) -> Ranges:
    """The ranges in a first-order program that is started at `entry`, with any arguments."""
    rounds = _Rounds(entry)
    rounds.go()
    for number in range(_MOST_ROUNDS):
        if rounds.is_enough():
            break
        rounds.assume_more(is_patient=number < _PATIENCE)
        rounds.go()
    found = Ranges()
    for _ in range(_LAST_ROUNDS):
        if not rounds.is_enough():
            break
        found = Ranges({**rounds.collected, **rounds.assumed}, rounds.operands)
        if not rounds.assume_less():
            break
        rounds.go()
    return found


# ------------------------------------------------------------------------------------------------------------- rounds


class _Rounds:
    """What was `assumed` of heads in a round, and what was `collected`; `operands` as in `Ranges`."""

    def __init__(self, entry: Function) -> None:
        root: Function = entry
        self._tours = [_Tour(function) for function, _ in depth_first([root], functions_used)]
        self._given: dict[Place, Interval] = {
            parameter: type_interval(parameter.type) for parameter in entry.parameters if has_interval(parameter.type)
        }
        self._heads: set[Place] = {head for tour in self._tours for head in tour.heads()}
        self.assumed: dict[Place, Interval] = {}
        self.collected: dict[Place, Interval] = {}
        self.operands: dict[Primitive, tuple[Interval, ...]] = {}

    def go(self) -> None:
        """Visit the whole program."""
        self.collected = dict(self._given)
        self.operands = {}
        for tour in self._tours:
            _Visit(tour, self).all()

    def is_enough(self) -> bool:
        """Whether no more was collected than what was assumed."""
        return all(
            (assumed := self.assumed.get(head)) and assumed[0] <= found[0] and found[1] <= assumed[1]
            for head, found in self._found()
        )

    def assume_more(self, is_patient: bool) -> None:
        """Assume what was collected, too; if one is not patient, all that a bound might come to when it moves."""
        for head, found in self._found():
            assumed = self.assumed.get(head)
            wider = join(assumed, found)
            if assumed and not is_patient:
                lowest, highest = type_interval(_type_at(head))
                root = isqrt(highest)  # a number that is compared by its square may stay below
                most = highest if wider[1] > root else root
                wider = lowest if wider[0] < assumed[0] else wider[0], most if wider[1] > assumed[1] else wider[1]
            self.assumed[head] = wider

    def assume_less(self) -> bool:
        """Assume only what was collected, which should be enough, for it came of assuming more; whether it is less."""
        before, self.assumed = self.assumed, dict(self._found())
        return self.assumed != before

    def _found(self) -> Iterator[tuple[Place, Interval]]:
        return ((head, self.collected[head]) for head in self._heads if head in self.collected)

    def collect(self, place: Place, interval: Interval | None) -> None:
        """A value that arrives."""
        if interval:
            self.collected[place] = join(self.collected.get(place), interval)

    def at(self, place: Place) -> Interval | None:
        """What is known to arrive."""
        assumed, collected = self.assumed.get(place), self.collected.get(place)
        return join(assumed, collected) if collected else assumed


def _type_at(place: Place) -> Type:
    if isinstance(place, Parameter):
        return place.type
    function, index = place
    assert isinstance(function.ret.type, ContinuationType)
    return function.ret.type.parameters[index]


class _Tour:
    """How a function is visited. `only` has what alone leads to a continuation, `cases` the cases of a switch."""

    def __init__(self, function: Function) -> None:
        self.function = function
        root: Continuation = function
        self.tree = Dominance(root, successors, reverse_postorder(function))
        self.only: dict[Continuation, tuple[Transfer, Edge]] = {}
        self.incoming = incoming(function)
        for target, edges in self.incoming.items():
            if len(edges) == 1 and edges[0][0].transfer:
                self.only[target] = edges[0][0].transfer, edges[0][1]
        self.cases: dict[Edge, int] = {}
        for member in function.members():
            if isinstance(member.transfer, Switch):
                self.cases.update(zip(member.transfer.targets, member.transfer.cases, strict=True))

    def heads(self) -> Iterator[Place]:
        """Where values arrive that come from a continuation that is visited later, or from another function."""
        yield from self.function.parameters
        if ret := self.function.return_continuation:
            assert isinstance(ret.type, ContinuationType)
            yield from ((self.function, index) for index in range(len(ret.type.parameters)))
        number = {member: number for number, member in enumerate(self.tree.preorder())}
        for target, edges in self.incoming.items():
            if any(number[source] >= number[target] for source, _ in edges):
                yield from target.parameters


class _Visit:
    """One visit of a function. `known` is of the values in sight; `undo` what to restore, as they get out of sight."""

    def __init__(self, tour: _Tour, rounds: _Rounds) -> None:
        self._tour = tour
        self._rounds = rounds
        self._reached: set[Continuation] = {tour.function}
        self._known: dict[Value, Interval] = {}
        self._undo: list[tuple[Value, Interval | None]] = []

    def all(self) -> None:
        """Visit each continuation that can be reached, after those that dominate it."""
        pending: list[tuple[Continuation, int | None]] = [(self._tour.function, None)]
        while pending:
            member, height = pending.pop()
            if height is not None:
                self._forget(height)
                continue
            pending.append((member, len(self._undo)))
            if member in self._reached and self._comes_to(member):
                pending += [(child, None) for child in reversed(self._tour.tree.children[member])]

    def _comes_to(self, member: Continuation) -> bool:
        """Visit one; whether control can come there at all."""
        if member in self._tour.only and not self._learn(*self._tour.only[member]):
            return False
        for parameter in member.parameters:
            if interval := self._rounds.at(parameter):
                self._know(parameter, interval)
        for statement in member.body:
            if interval := self._computed(statement):
                self._know(statement, interval)
        assert member.transfer is not None, f"{member.name} is under construction"
        self._leave(member.transfer)
        return True

    def _know(self, value: Value, interval: Interval) -> None:
        self._undo.append((value, self._known.get(value)))
        self._known[value] = interval

    def _forget(self, height: int) -> None:
        while len(self._undo) > height:
            value, before = self._undo.pop()
            if before is None:
                del self._known[value]
            else:
                self._known[value] = before

    def _interval(self, value: Value) -> Interval | None:
        """What is known of a value: nothing, if it is never there."""
        if isinstance(value, Constant):
            return (int(value.value), int(value.value)) if has_interval(value.type) else (0, 1)
        return self._known.get(value) if has_interval(value.type) else (0, 1)

    def _computed(self, statement: Statement) -> Interval | None:
        operands = [self._interval(operand) for operand in statement.operands]
        there = tuple(interval for interval in operands if interval)
        if len(there) < len(operands):
            return None
        if isinstance(statement, Primitive):
            self._rounds.operands[statement] = there
        if not has_interval(statement.type):
            return None
        if not isinstance(statement, Primitive):
            return type_interval(statement.type)
        return wrapped(statement.type, exact_interval(statement, there))

    # ---------------------------------------------------------------------------------------------------- transfers

    def _leave(self, transfer: Transfer) -> None:
        if isinstance(transfer, Call):
            self._pass(transfer.callee.parameters, transfer.arguments)
            self._return_to(transfer)
            return
        for edge in transfer.edges:
            height = len(self._undo)
            if self._learn(transfer, edge):
                self._pass(self._places(edge.target), edge.arguments)
                self._reach(edge.target)
            self._forget(height)

    def _return_to(self, call: Call) -> None:
        for index, place in enumerate(self._places(call.then.target)):
            if has_interval(_type_at((call.callee, index))):
                self._rounds.collect(place, self._rounds.at((call.callee, index)))
        self._reach(call.then.target)

    def _reach(self, target: Target) -> None:
        if isinstance(target, Continuation):
            self._reached.add(target)

    def _pass(self, places: Sequence[Place], arguments: Iterable[Value]) -> None:
        for place, argument in zip(places, arguments, strict=False):
            if has_interval(argument.type):
                self._rounds.collect(place, self._interval(argument))

    def _places(self, target: Target) -> Sequence[Place]:
        """Where the arguments of an edge arrive; nowhere, if the outside world takes them."""
        if isinstance(target, Continuation):
            return target.parameters
        if isinstance(target, Parameter):
            assert isinstance(target.type, ContinuationType)
            return [(self._tour.function, index) for index in range(len(target.type.parameters))]
        return ()

    # --------------------------------------------------------------------------------------------------- conditions

    def _learn(self, transfer: Transfer, edge: Edge) -> bool:
        """Take notice of what is known when an edge is followed; whether it can be followed at all."""
        return all(self._narrow(value, op, other) for value, op, other in self._told(transfer, edge))

    def _told(self, transfer: Transfer, edge: Edge) -> Iterator[tuple[Value, str, Value]]:
        """The comparisons that hold where control goes along that edge."""
        if isinstance(transfer, Branch):
            yield from _told_by(transfer.condition, edge is transfer.then)
        elif isinstance(transfer, Switch) and edge in self._tour.cases:
            assert isinstance(transfer.value.type, Scalar)
            yield transfer.value, "==", Constant(transfer.value.type, self._tour.cases[edge])

    def _narrow(self, value: Value, op: str, other: Value) -> bool:
        """Take notice of a comparison that holds; whether that is possible."""
        while True:
            known, bound = self._interval(value), self._interval(other)
            if known is None or bound is None:
                return False
            narrow = OPERATIONS[op].narrow
            assert narrow, f"{op} is no comparison"
            low, high = narrow(known, bound)
            if low > high:
                return False
            if isinstance(value, Constant):
                return True
            self._know(value, (low, high))
            if isinstance(value, Primitive) and value.op == "*" and value.operands[0] is value.operands[1]:
                self._narrow_root(value, value.operands[0], high)
            if not isinstance(value, Primitive) or value.op != CONVERT or not has_interval(value.operands[0].type):
                return True
            if self._interval(value.operands[0]) != known:
                return True
            value = value.operands[0]  # the conversion changes nothing

    def _narrow_root(self, square: Primitive, root: Value, most: int) -> None:
        """Take notice that the square of a number is no more than that."""
        known = self._interval(root)
        if known and known[0] >= 0 and known[1] ** 2 <= range_of(square.type)[1] and not isinstance(root, Constant):
            self._know(root, (known[0], min(known[1], isqrt(most))))


def _told_by(condition: Value, holds: bool) -> Iterator[tuple[Value, str, Value]]:
    """The comparisons that hold where a condition does, or where it does not."""
    while isinstance(condition, Primitive) and condition.op == "!":
        condition, holds = condition.operands[0], not holds
    if not isinstance(condition, Primitive) or not has_interval(condition.operands[0].type):
        return
    if contrary := opposite(condition.op, condition.operands[0].type):
        op = condition.op if holds else contrary
        left, right = condition.operands
        yield left, op, right
        yield right, OPERATIONS[op].mirror or op, left
    elif condition.op == CONVERT and isinstance(condition.operands[0].type, Scalar):
        yield condition.operands[0], "!=" if holds else "==", Constant(condition.operands[0].type, 0)
