"""Sequentialisation of parallel copies.

A copy may be executed when no remaining copy reads its target. If every target is still read, the copies form cycles;
the source of one copy is then saved in a temporary variable. (Sreedhar et al., *Translating Out of Static Single
Assignment Form*, SAS 1999, call the error of sequential copies without a temporary the *swap problem*. The *lost-copy
problem* does not occur, since each copy is on its edge.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Generic, TypeVar

Location = TypeVar("Location")
Source = TypeVar("Source")


@dataclass(frozen=True, slots=True)
class Copy(Generic[Location, Source]):
    """``target = source``, where the source reads the locations `reads`."""

    target: Location
    source: Source
    reads: frozenset[Location]
    is_plain: bool = False
    """Whether the source is a location or a constant, so that nothing is computed."""


def sequentialised(
    copies: Sequence[Copy[Location, Source]], save: Callable[[Copy[Location, Source]], tuple[Location, Source]]
) -> Iterator[tuple[Location, Source]]:
    """Assignments, one after the other, with the effect of the parallel `copies`, in their order if possible.

    The copies have distinct targets. `save` returns a temporary location for the source of a copy, and the source that
    reads this location.
    """
    pending = dict(enumerate(copies))
    number = {copy.target: index for index, copy in pending.items()}
    readers = Counter(location for copy in copies for location in copy.reads if location != copy.target)
    ready = [index for index, copy in pending.items() if not readers[copy.target]]
    heapify(ready)

    def release(copy: Copy[Location, Source]) -> None:
        for location in copy.reads:
            if location != copy.target:
                readers[location] -= 1
                if not readers[location] and number.get(location) in pending:
                    heappush(ready, number[location])

    while pending:
        if ready:
            copy = pending.pop(heappop(ready))
            yield copy.target, copy.source
            release(copy)
        else:
            index = next((index for index, copy in pending.items() if not copy.is_plain), next(iter(pending)))
            copy = pending[index]
            temporary, again = save(copy)
            yield temporary, copy.source
            pending[index] = Copy(copy.target, again, frozenset(), is_plain=True)
            release(copy)
