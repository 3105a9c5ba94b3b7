"""Edits that lead from one list of lines to the next.

An edit is ``[position, number of deleted lines, new lines …]``. Edits are applied in order; each position counts the
lines after the edits before it. The lines come in segments, one for each part of a text.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, takewhile
from operator import eq
from typing import Any, Union

Part = tuple[Any, ...]
Line = tuple[Any, ...]
Lines = Sequence[Line]
Edit = list[Any]


class GrowingSegment:
    """A segment with lines for each of its items, to which items are appended."""

    def __init__(self, print_item: Callable[[Any], Lines]) -> None:
        self._print = print_item
        self._places: dict[Hashable, int] = {}
        self._lines: list[Lines] = []
        self._sizes: list[int] = []

    def __len__(self) -> int:
        return sum(self._sizes)

    def __iter__(self) -> Iterator[Line]:
        return chain.from_iterable(self._lines)

    def append(self, items: Iterable[Hashable], at: int = 0) -> Iterator[Edit]:
        """Append the `items` that are not here yet. Returns the edits, if the segment is at a position."""
        for item in islice(items, len(self._lines), None):
            lines = self._print(item)
            if lines:
                yield [at + len(self), 0, *lines]
            self._places[item] = len(self._lines)
            self._lines.append(lines)
            self._sizes.append(len(lines))

    def update(self, items: Iterable[Hashable], at: int) -> Iterator[Edit]:
        """Print some `items` again. Returns the edits."""
        known = [item for item in items if item in self._places]
        for item in sorted(known, key=self._places.__getitem__):
            place = self._places[item]
            before, lines = self._lines[place], self._print(item)
            if before != lines:
                self._lines[place] = lines
                self._sizes[place] = len(lines)
                yield edit(at + sum(self._sizes[:place]), before, lines)


Segment = Union[Lines, GrowingSegment]


def ends(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int]:
    """The number of equal items at the start, and of those at the end."""
    first = _same(old, new)
    return first, _same(old[first:][::-1], new[first:][::-1])


def _same(one: Sequence[Any], other: Sequence[Any]) -> int:
    """The number of equal items at the start. Slices are compared first, since they are compared faster than items."""
    count, size = 0, 256
    while count < min(len(one), len(other)) and one[count : count + size] == other[count : count + size]:
        count += size
    count = min(count, len(one), len(other))
    rest = map(eq, one[count : count + size], other[count : count + size])
    return count + sum(1 for _ in takewhile(bool, rest))


def edit(at: int, old: Lines, new: Lines) -> Edit:
    """The edit by which lines at a position become others."""
    first, last = ends(old, new)
    return [at + first, len(old) - first - last, *new[first : len(new) - last]]


def rearranged(at: int, old: Mapping[Part, Segment], new: Mapping[Part, Segment]) -> Iterator[Edit]:
    """The edits by which parts appear, disappear and move, from a position on. The segment of a part stays the same."""
    pending: Edit = [at, 0]
    for following in _separate(at, old, new):
        if following[0] == pending[0] + len(pending) - 2:
            pending = [pending[0], pending[1] + following[1], *pending[2:], *following[2:]]
        else:
            yield pending
            pending = following
    yield pending


def _separate(at: int, old: Mapping[Part, Segment], new: Mapping[Part, Segment]) -> Iterator[Edit]:
    """An edit for each part that is deleted or inserted. A part that moves is inserted, and its old segment deleted."""
    inserted: set[Part] = set()
    left = iter(old)
    following = next(left, None)
    for part, segment in new.items():
        while following is not None and following != part and (following not in new or following in inserted):
            yield [at, len(old[following])]
            following = next(left, None)
        if following == part:
            following = next(left, None)
        else:
            yield [at, 0, *segment]
            inserted.add(part)
        at += len(segment)
    while following is not None:
        yield [at, len(old[following])]
        following = next(left, None)
