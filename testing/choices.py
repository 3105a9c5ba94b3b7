"""Where a generator's decisions come from: hypothesis, which can shrink them, or random numbers, which are fast."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Choices(Protocol):
    """Decisions. Those listed first, the smaller numbers and the shorter lists make the simpler programs."""

    def number(self, low: int, high: int) -> int:
        """A number in ``low … high``."""

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""

    def several(self, make: Callable[[], T], low: int, high: int) -> list[T]:
        """What `make` returns, ``low … high`` times."""


class Drawn:
    """Decisions drawn by hypothesis."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def number(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high))

    def pick(self, options: Sequence[T]) -> T:
        return self._draw(st.sampled_from(options))

    def several(self, make: Callable[[], T], low: int, high: int) -> list[T]:
        return self._draw(st.lists(st.builds(make), min_size=low, max_size=high))


class Rolled:
    """Decisions by a random number generator."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def number(self, low: int, high: int) -> int:
        return self._random.randint(low, high)

    def pick(self, options: Sequence[T]) -> T:
        return self._random.choice(options)

    def several(self, make: Callable[[], T], low: int, high: int) -> list[T]:
        return [make() for _ in range(self._random.randint(low, high))]
