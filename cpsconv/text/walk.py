"""Recursion without the stack of the machine."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from types import GeneratorType
from typing import Any

Walk = Generator[Any, None, None]
"""What walks over a structure: yields items, and walks that are to take place at this point."""


def run(walk: Walk) -> Iterator[Any]:
    """The items of `walk` and of the walks inside, however deep they lie."""
    stack = [walk]
    while stack:
        for item in stack[-1]:
            if isinstance(item, GeneratorType):
                stack.append(item)
                break
            yield item
        else:
            stack.pop()
