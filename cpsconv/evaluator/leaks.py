"""Leaks: objects of `malloc`, `calloc` and `realloc` that a program has not freed at its end."""

from __future__ import annotations

from collections.abc import Iterable

from cpsconv.evaluator.memory import MemoryObject
from cpsconv.source import Diagnostic, Span


def leak_report(objects: Iterable[MemoryObject]) -> list[Diagnostic]:
    """A diagnostic for each place of allocation, in the order of the first allocations, with its objects' number."""
    places: dict[Span | None, list[int]] = {}
    for found in objects:
        if found.origin == "heap" and not found.ended:
            places.setdefault(found.start, []).append(found.size)
    return [Diagnostic("runtime error", _message(sizes), place, rule="leak") for place, sizes in places.items()]


def _message(sizes: list[int]) -> str:
    """``3 objects, of 40 bytes each, are allocated here and never freed``"""
    count, total = len(sizes), sum(sizes)
    if count == 1:
        return f"an object of {_bytes(total)} is allocated here and never freed"
    size = f"{_bytes(sizes[0])} each" if len({*sizes}) == 1 else f"{_bytes(total)} in all"
    return f"{count} objects, of {size}, are allocated here and never freed"


def _bytes(number: int) -> str:
    return f"{number} byte{'s' * (number != 1)}"
