"""A pane whose lines change from step to step: CPS text, φ form, or the cards of the control flow."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import partial
from typing import Any

from cpsconv.core.ir import Continuation, Parameter
from cpsconv.lab.page.edits import Edit, GrowingSegment, Line, Lines, Part, Segment, edit, ends, rearranged
from cpsconv.lab.page.growing_plan import Item
from cpsconv.lab.page.state import State

WIDTH = 60
"""The columns of the texts."""

PARAMETERS, STATEMENTS, DEFINITIONS = _LISTS = "parameters", "statements", "definitions"


class Pane(ABC):
    """A pane with its current lines, in one segment for each part.

    A part is a tuple, unique in the pane, with a kind and a continuation. The segment of a part changes only if this
    continuation is touched. In a part that consists of the `PARAMETERS`, the `STATEMENTS` or the `DEFINITIONS` of the
    continuation, only the lines of those change that are touched.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self._parts: list[Part] = []
        self._segments: list[Segment] = []
        self._sizes: list[int] = []  # of the segments
        self._places: dict[tuple[Continuation, str | None], list[int]] = {}

    @abstractmethod
    def parts(self) -> list[Part]:
        """The parts of the current state, in order."""

    @abstractmethod
    def lines(self, part: Part) -> Lines:
        """The lines of a part."""

    @abstractmethod
    def item_lines(self, part: Part, item: Any) -> Lines:
        """The lines of a parameter, none if it was removed, of a statement, or of the definition of a variable."""

    def consists_of(self, part: Part) -> str | None:
        """`PARAMETERS`, `STATEMENTS`, `DEFINITIONS` or None."""
        return part[0] if part[0] in _LISTS else None

    def is_rearranged(self) -> bool:
        """Whether there may be other parts, or in another order, than before."""
        return self.state.is_rearranged or bool(self.state.created)

    def edits(self) -> Iterator[Edit]:
        """The edits since the state was settled."""
        if self.is_rearranged():
            yield from self._rearrange()
        touched: dict[int, list[Any]] = {}
        for item in self.state.plan.touched:
            for place in self._places_of(item):
                touched.setdefault(place, []).append(item[1] if isinstance(item, tuple) else item)
        for place in sorted(touched):
            yield from self._update(place, touched[place])

    def number(self, member: Continuation) -> int:
        """The number of a card."""
        return self.state.states[member].number

    def _rearrange(self) -> Iterator[Edit]:
        """The edits by which parts appear, disappear and move."""
        old, new = self._parts, self.parts()
        first, last = ends(old, new)
        stop = len(old) - last
        before = dict(zip(old[first:stop], self._segments[first:stop], strict=True))
        after = {part: before[part] if part in before else self._segment(part) for part in new[first : len(new) - last]}
        yield from rearranged(sum(self._sizes[:first]), before, after)
        self._segments[first:stop] = after.values()
        self._sizes[first:stop] = map(len, after.values())
        self._parts = new
        for key in {self._key(part) for part in old[first:]}:
            self._places[key] = [place for place in self._places[key] if place < first]
        for place, part in enumerate(new[first:], first):
            self._places.setdefault(self._key(part), []).append(place)

    def _key(self, part: Part) -> tuple[Continuation, str | None]:
        return part[1], self.consists_of(part)

    def _segment(self, part: Part) -> Segment:
        if not self.consists_of(part):
            return self.lines(part)
        segment = GrowingSegment(partial(self.item_lines, part))
        for _ in segment.append(self._items(part)):
            pass
        return segment

    def _items(self, part: Part) -> list[Any]:
        """The parameters that there ever were, statements or variables of a part, in order."""
        kind = self.consists_of(part)
        if kind == PARAMETERS:
            return [*self.state.plan.parameters[part[1]]]
        if kind == STATEMENTS:
            return part[1].body  # type: ignore[no-any-return]
        return [*self.state.states[part[1]].definitions]

    def _places_of(self, item: Item) -> Iterator[int]:
        """The places of the parts that an item changes."""
        if isinstance(item, Continuation):
            yield from self._places.get((item, None), ())
            if self.state.is_rearranged:
                for kind in _LISTS:
                    yield from self._places.get((item, kind), ())
        elif isinstance(item, tuple):
            yield from self._places.get((item[0], DEFINITIONS), ())
        elif isinstance(item, Parameter):
            yield from self._places.get((self.state.plan.homes[item], PARAMETERS), ())
        else:
            yield from self._places.get((self.state.plan.homes[item], STATEMENTS), ())

    def _update(self, place: int, items: list[Any]) -> Iterator[Edit]:
        """The edits of a part by changes of some items."""
        at, segment, part = sum(self._sizes[:place]), self._segments[place], self._parts[place]
        if isinstance(segment, GrowingSegment) and not self.state.is_rearranged:
            yield from segment.update(items, at)
            yield from segment.append(self._items(part), at)
            self._sizes[place] = len(segment)
            return
        before: list[Line] = [*segment]
        self._segments[place] = self._segment(part)
        after: list[Line] = [*self._segments[place]]
        self._sizes[place] = len(after)
        if before != after:
            yield edit(at, before, after)
