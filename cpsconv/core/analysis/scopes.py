"""Scopes: the places of a function where a value can be used, those that its definition dominates."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.ir import Continuation, Effect, Function, Parameter, Primitive, Value

Place = tuple[Continuation, int]
"""A continuation and the index of the statement that follows the place. The transfer follows the last statement."""

DEFINED = (Parameter, Primitive, Effect)
"""The classes of values with a definition in a function."""


class Scope:
    """The places where the values of a function can be used. `tree` is its dominator tree."""

    def __init__(self, tree: DominatorTree) -> None:
        self.tree = tree
        self._definitions = _definitions(tree.function)
        self._definitions.update((value, (tree.function, 0)) for value in tree.function.free)

    def dominates(self, above: Place, below: Place) -> bool:
        """Whether every path to `below` passes `above`, or both are the same place."""
        if above[0] is below[0]:
            return above[1] <= below[1]
        return above[0] in self.tree.children and self.tree.dominates(above[0], below[0])

    def has(self, values: Iterable[Value], use: Place) -> bool:
        """Whether all of the values that have definitions can be used at the reachable place `use`."""
        member, number = use
        for value in values:
            definition = self._definitions.get(value)
            if definition is None:
                if isinstance(value, DEFINED):
                    return False
            elif definition[0] is member:
                if definition[1] > number:
                    return False
            elif not self.dominates(definition, use):
                return False
        return True

    def error_of(self, value: Value, use: Place) -> str | None:
        """The error in a use of `value` at the reachable place `use`, or None."""
        definition = self._definitions.get(value)
        if definition and self.dominates(definition, use):
            return None
        if not isinstance(value, DEFINED):
            return None
        name = f"`{value.name or value.type}`"
        if definition is None:
            return f"{name} is not defined in `{self.tree.function.name}`"
        if definition[0] is use[0]:
            return f"{name} is used before it is defined"
        return f"{name} is not defined on every path to this use"


class Places:
    """A set of places of a function, for queries whether one of them dominates another place.

    Places that others dominate are omitted. The rest are in preorder of the dominator tree, where only the last one
    before a place can dominate this place.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._numbers: list[int] = []
        self._places: list[Place] = []

    def add(self, place: Place) -> None:
        """Add a reachable place."""
        if not self.dominate(place):
            numbers = self._scope.tree.dominated(place[0])
            dominated = slice(bisect_left(self._numbers, numbers.start), bisect_left(self._numbers, numbers.stop))
            self._numbers[dominated] = [numbers.start]
            self._places[dominated] = [place]

    def dominate(self, place: Place) -> bool:
        """Whether a place of the set dominates `place`, which must be reachable."""
        last = bisect_right(self._numbers, self._scope.tree.dominated(place[0]).start) - 1
        return last >= 0 and self._scope.dominates(self._places[last], place)


def _definitions(function: Function) -> dict[Value, Place]:
    """The place after each definition; the first one if a value is defined twice."""
    places: dict[Value, Place] = {}
    for member in function.members():
        for parameter in member.parameters:
            places.setdefault(parameter, (member, 0))
        for number, statement in enumerate(member.body):
            places.setdefault(statement, (member, number + 1))
    return places
