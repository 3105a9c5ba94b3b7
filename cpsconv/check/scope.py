"""The check of scope: every value is defined, whatever way control takes, before it is used."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from cpsconv.analysis.dominance import DominatorTree
from cpsconv.check.walk import users
from cpsconv.ir import Continuation, Effect, Function, Parameter, Primitive, Program, Value
from cpsconv.source import Diagnostic, Span, error

Place = tuple[Continuation, int]
"""A continuation and the number of a statement in it. The parameters come before all, the transfer comes after."""

_PARAMETERS = -1


def definitions_dominate_uses(program: Program) -> Iterator[Diagnostic]:
    """The definition of a value dominates its uses, and lies in the same function."""
    for function in program.functions:
        scope = Scope(function)
        for member in scope.tree.preorder():
            for number, (user, values) in enumerate(users(member)):
                for value in values:
                    complaint = scope.complaint(value, (member, number))
                    if complaint:
                        yield error(complaint, user.span, notes=_definition(value))


class Scope:
    """Where in a function which values can be used."""

    def __init__(self, function: Function) -> None:
        self.tree = DominatorTree(function)
        self._definitions = _definitions(function)

    def dominates(self, above: Place, below: Place) -> bool:
        """Whether control comes through `above` on every way to `below`, or both are the same place."""
        if above[0] is below[0]:
            return above[1] <= below[1]
        return above[0] in self.tree.children and self.tree.dominates(above[0], below[0])

    def complaint(self, value: Value, use: Place) -> str | None:
        """What is wrong with using `value` at a place that control can get to; None if nothing is."""
        if not isinstance(value, (Parameter, Primitive, Effect)):
            return None
        name = f"`{value.name or value.type}`"
        if value not in self._definitions:
            return f"{name} is not defined in `{self.tree.root.name}`"
        member, number = self._definitions[value]
        if self.dominates((member, number + 1), use):
            return None
        if member is use[0]:
            return f"{name} is used before it is defined"
        return f"{name} is not defined on every way that leads here"


class Places:
    """Some places of a function, of which it matters only whether one of them dominates another place.

    So those that are dominated by others are left out. The others are kept in preorder of the dominator tree, where
    only the last one before a place can dominate it.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._numbers: list[int] = []
        self._places: list[Place] = []

    def add(self, place: Place) -> None:
        """Add a place that control can get to."""
        if not self.dominate(place):
            numbers = self._scope.tree.dominated(place[0])
            dominated = slice(bisect_left(self._numbers, numbers.start), bisect_left(self._numbers, numbers.stop))
            self._numbers[dominated] = [numbers.start]
            self._places[dominated] = [place]

    def dominate(self, place: Place) -> bool:
        """Whether one of them dominates `place`, which control can get to, too."""
        last = bisect_right(self._numbers, self._scope.tree.dominated(place[0]).start) - 1
        return last >= 0 and self._scope.dominates(self._places[last], place)


def _definition(value: Value) -> list[tuple[str, Span | None]]:
    span = value.span if isinstance(value, (Parameter, Primitive, Effect)) else None
    return [("defined here", span)] if span else []


def _definitions(function: Function) -> dict[Value, Place]:
    """Where each value is defined; where it is first defined, should that be twice."""
    places: dict[Value, Place] = {}
    for member in function.members():
        for parameter in member.parameters:
            places.setdefault(parameter, (member, _PARAMETERS))
        for number, statement in enumerate(member.body):
            places.setdefault(statement, (member, number))
    return places
