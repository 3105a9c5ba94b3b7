"""Edits that lead from one list of lines to the next.

An edit is ``[position, number of deleted lines, new lines …]``. Edits are applied in order; each position counts the
lines after the edits before it. The lines come in segments, one for each part of a text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from operator import eq
from typing import Any

Part = tuple[Any, ...]
Line = tuple[Any, ...]
Segment = Sequence[Line]
Edit = list[Any]


def ends(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int]:
    """The number of equal items at the start, and of those at the end."""
    first = _same(old, new)
    return first, _same(old[first:][::-1], new[first:][::-1])


def _same(one: Sequence[Any], other: Sequence[Any]) -> int:
    return sum(1 for _ in takewhile(bool, map(eq, one, other)))


def edit(at: int, old: Segment, new: Segment) -> Edit:
    """The edit of the segment at a position."""
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
    for part, lines in new.items():
        while following is not None and following != part and (following not in new or following in inserted):
            yield [at, len(old[following])]
            following = next(left, None)
        if following == part:
            following = next(left, None)
        else:
            yield [at, 0, *lines]
            inserted.add(part)
        at += len(lines)
    while following is not None:
        yield [at, len(old[following])]
        following = next(left, None)
