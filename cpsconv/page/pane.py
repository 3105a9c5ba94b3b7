"""A pane whose lines change from step to step: CPS text, φ form, or the cards of the control flow."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from typing import Any, TypeVar

from cpsconv.ir import Continuation
from cpsconv.page.edits import Edit, Part, Segment, edit, ends, rearranged
from cpsconv.page.growing_plan import Item
from cpsconv.page.state import State

WIDTH = 60
"""The columns of the texts."""

T = TypeVar("T")


class Pane(ABC):
    """A pane with its current lines, in one segment for each part. `numbers` are those of the cards.

    A part is a tuple, unique in the pane. Its second item is a continuation; the segment changes only if this is
    touched.
    """

    def __init__(self, state: State, numbers: dict[str, int]) -> None:
        self.state = state
        self._numbers = numbers
        self._parts: list[Part] = []
        self._segments: list[Segment] = []
        self._sizes: list[int] = []  # of the segments
        self._places: dict[Item, list[int]] = {}
        self._kept: dict[Item, dict[Hashable, Any]] = defaultdict(dict)

    @abstractmethod
    def parts(self) -> list[Part]:
        """The parts of the current state, in order."""

    @abstractmethod
    def segment(self, part: Part) -> Segment:
        """The lines of a part."""

    def is_rearranged(self) -> bool:
        """Whether there may be other parts, or in another order, than before."""
        return self.state.is_rearranged or bool(self.state.created)

    def edits(self) -> Iterator[Edit]:
        """The edits since the state was settled."""
        for item in self.state.plan.touched:
            self._kept.pop(item, None)
        if self.is_rearranged():
            yield from self._rearrange()
        places = [place for item in self.state.plan.touched for place in self._places.get(item, ())]
        for place in sorted(places):
            before = self._segments[place]
            after = self._segments[place] = self.segment(self._parts[place])
            self._sizes[place] = len(after)
            if before != after:
                yield edit(sum(self._sizes[:place]), before, after)

    def _rearrange(self) -> Iterator[Edit]:
        """The edits by which parts appear, disappear and move."""
        old, new = self._parts, self.parts()
        first, last = ends(old, new)
        stop = len(old) - last
        before = dict(zip(old[first:stop], self._segments[first:stop], strict=True))
        after = {part: before[part] if part in before else self.segment(part) for part in new[first : len(new) - last]}
        yield from rearranged(sum(self._sizes[:first]), before, after)
        self._segments[first:stop] = after.values()
        self._sizes[first:stop] = map(len, after.values())
        self._parts = new
        self._places = {}
        for place, part in enumerate(new):
            self._places.setdefault(part[1], []).append(place)

    def kept(self, item: Item, key: Hashable, print_text: Callable[..., T], *arguments: Any) -> T:
        """The result of ``print_text(*arguments)``, kept for `key` until the item is touched."""
        kept = self._kept[item]
        if key not in kept:
            kept[key] = print_text(*arguments)
        found: T = kept[key]
        return found

    def number(self, member: Continuation) -> int:
        """The number of a card."""
        return self._numbers[self.state.plan.names[member]]
