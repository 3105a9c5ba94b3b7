"""How values come to the parameters of a function: which of them can be without one, and by what way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

from cpsconv.analysis.flow import parameter_edges
from cpsconv.analysis.outcomes import CommonOutcomes, Outcome, outcome_of
from cpsconv.ir import Continuation, Edge, Function, Parameter, Undef, Value


@dataclass(eq=False, slots=True)
class Arrival:
    """A step on which a parameter gets no value: `sender` passes `undef` along `edge`, or a parameter that has none.

    `since` is the continuation of that parameter, `first` the first step of the way, and `earlier` the nearest step
    before this one on which something is decided, or the first. The first step itself has none of them.
    """

    undef: Undef
    sender: Continuation
    edge: Edge
    since: Continuation | None = None
    earlier: Arrival | None = None
    first: Arrival | None = None

    @property
    def home(self) -> Continuation:
        """Where the step ends: whose parameter it is."""
        assert isinstance(self.edge.target, Continuation)
        return self.edge.target


class Arrivals:
    """For each parameter that can be without a value, a shortest way on which it gets none.

    `assigned` holds the parameters that can have a value. It takes time proportional to the size of the function, but
    for dominance.
    """

    def __init__(self, function: Function) -> None:
        self._receivers = _receivers(function)
        undefined = [value for value in self._receivers if isinstance(value, Undef)]
        self._found: dict[Value, Arrival] = {}
        self.assigned: set[Value] = set()
        if undefined:
            self._decisions = CommonOutcomes(function)
            self._follow(undefined)
            self.assigned = self._reached_from(_values(function, self._receivers))

    def of(self, value: Value) -> Arrival | None:
        """The last step of the way, if `value` is a parameter that can be without a value."""
        return self._found.get(value)

    def before(self, first: Arrival) -> Iterator[Outcome]:
        """The decisions on every way to a first step, and the one on it, backwards to the declaration."""
        declared = first.undef.span
        for index, found in enumerate(self._decisions_on(first)):
            if index and found.span and declared and found.span.start < declared.start:
                return
            yield found

    def after(self, last: Arrival, use: Continuation) -> Iterator[Outcome]:
        """The decisions on the way on from the first step to a use in `use` of the parameter of `last`, backwards."""
        yield from self._decisions.backwards(last.home, use)
        while last.earlier:
            yield from self._decisions_on(last)
            last = last.earlier

    def _decisions_on(self, arrival: Arrival) -> Iterator[Outcome]:
        """The decision on the step, and those before it back to where the value that is passed on arrived."""
        final = outcome_of(arrival.sender, arrival.edge)
        if final:
            yield final
        yield from self._decisions.backwards(arrival.since or self._decisions.tree.root, arrival.sender)

    def _follow(self, undefined: list[Undef]) -> None:
        """Find the arrivals, the nearest first."""
        pending: list[tuple[Value, Undef]] = [(undef, undef) for undef in undefined]
        for source, undef in pending:  # grows underway
            before = self._found.get(source)
            for sender, edge, receiver in self._receivers[source]:
                if receiver not in self._found:
                    self._found[receiver] = self._arrival(undef, sender, edge, before)
                    pending.append((receiver, undef))

    def _arrival(self, undef: Undef, sender: Continuation, edge: Edge, before: Arrival | None) -> Arrival:
        if before is None:
            return Arrival(undef, sender, edge)
        decides = before.earlier is None or any(self._decisions_on(before))
        return Arrival(undef, sender, edge, before.home, before if decides else before.earlier, before.first or before)

    def _reached_from(self, values: list[Value]) -> set[Value]:
        reached: set[Value] = set(values)
        for source in values:  # grows underway
            for _, _, receiver in self._receivers.get(source, ()):
                if receiver not in reached:
                    reached.add(receiver)
                    values.append(receiver)
        return reached


_Receivers = dict[Value, "list[tuple[Continuation, Edge, Parameter]]"]
"""For each value the parameters that it is passed to, with where and along which edge."""


def is_local(target: Value) -> TypeGuard[Continuation]:
    """Whether the target is a continuation of the function itself."""
    return isinstance(target, Continuation) and not isinstance(target, Function)


def _receivers(function: Function) -> _Receivers:
    receivers: _Receivers = defaultdict(list)
    for member in function.members():
        for edge in member.transfer.edges if member.transfer else ():
            if is_local(edge.target):
                for parameter, argument in zip(edge.target.parameters, edge.arguments, strict=False):
                    receivers[argument].append((member, edge, parameter))
    return receivers


def _values(function: Function, receivers: _Receivers) -> list[Value]:
    """What has a value by itself: what is passed on and no `Undef`; parameters of which not all arguments are known."""
    known = parameter_edges(function)
    values: list[Value] = [value for value in receivers if not isinstance(value, (Undef, Parameter))]
    for member in function.members():
        values += [parameter for parameter in member.parameters if parameter not in known]
    return values
