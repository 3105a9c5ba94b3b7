"""Parallel copies in order: all are to happen at once, but one is made after the other.

A copy may be made when no other that is still to come reads its target. Where none may, there is a cycle: the value of
one is kept in a temporary variable, and so on. (Sreedhar et al., *Translating Out of Static Single Assignment Form*,
SAS 1999, describe what goes wrong otherwise as the *swap problem*; the *lost-copy problem* does not arise, since each
copy stands on its edge.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Generic, TypeVar

Place = TypeVar("Place")
Source = TypeVar("Source")


@dataclass(frozen=True, slots=True)
class Copy(Generic[Place, Source]):
    """``target = source``, where `reads` are the places that the source mentions."""

    target: Place
    source: Source
    reads: frozenset[Place]
    is_plain: bool = False
    """Whether the source is a place or a constant, and nothing is computed."""


def in_order(
    copies: Sequence[Copy[Place, Source]], keep: Callable[[Copy[Place, Source]], tuple[Place, Source]]
) -> Iterator[tuple[Place, Source]]:
    """Assignments that together do what the `copies`, with distinct targets, do at once; in their order, if possible.

    `keep` gives a temporary place for what a copy copies, and the source that reads this place again.
    """
    pending = dict(enumerate(copies))
    number = {copy.target: index for index, copy in pending.items()}
    readers = Counter(place for copy in copies for place in copy.reads if place != copy.target)
    ready = [index for index, copy in pending.items() if not readers[copy.target]]
    heapify(ready)

    def release(copy: Copy[Place, Source]) -> None:
        for place in copy.reads:
            if place != copy.target:
                readers[place] -= 1
                if not readers[place] and number.get(place) in pending:
                    heappush(ready, number[place])

    while pending:
        if ready:
            copy = pending.pop(heappop(ready))
            yield copy.target, copy.source
            release(copy)
        else:
            index = next((index for index, copy in pending.items() if not copy.is_plain), next(iter(pending)))
            copy = pending[index]
            temporary, again = keep(copy)
            yield temporary, copy.source
            pending[index] = Copy(copy.target, again, frozenset(), is_plain=True)
            release(copy)
