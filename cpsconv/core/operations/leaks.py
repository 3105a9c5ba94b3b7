"""Memory that a run did not release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Union

from cpsconv.core.operations.objects import MemoryObject
from cpsconv.core.source import Diagnostic, Span, counted

Leaks = Counter[tuple[Union[Span, None], int]]
"""The numbers of objects on the heap that a run did not release, by place of allocation and size."""


def leaks_of(objects: Iterable[MemoryObject]) -> Leaks:
    """The objects on the heap among the objects of a run, by number, that were not freed."""
    return Counter((found.start, found.size) for found in objects if found.origin == "heap" and not found.ended)


def leak_report(leaks: Leaks) -> list[Diagnostic]:
    """A diagnostic for each place where memory that was not freed is allocated, in the order of allocation."""
    places: dict[Span | None, dict[int, int]] = {}
    for (place, size), count in leaks.items():
        places.setdefault(place, {})[size] = count
    return [Diagnostic("runtime error", _leak(counts), place, rule="leak") for place, counts in places.items()]


def _leak(counts: dict[int, int]) -> str:
    """``3 objects, of 40 bytes each, are allocated here and never freed``, from the number of objects by size."""
    count, total = sum(counts.values()), sum(size * number for size, number in counts.items())
    if count == 1:
        return f"an object of {counted(total, 'byte')} is allocated here and never freed"
    size = f"{counted(total, 'byte')} in all" if len(counts) > 1 else f"{counted(min(counts), 'byte')} each"
    return f"{count} objects, of {size}, are allocated here and never freed"
