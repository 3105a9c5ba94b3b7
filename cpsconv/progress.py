"""How far long work has come. Whoever does it tells; whoever wants to know listens; ignore has to do with the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Part = TypeVar("Part")

Listener = Callable[[str, int, int], None]
"""Is told what is being done, how much of it is done, and how much there is."""


def ignore(work: str, done: int, total: int) -> None:
    """Does not listen."""


_listener: ContextVar[Listener] = ContextVar("listener", default=ignore)


def report(work: str, done: int, total: int) -> None:
    """Tell who listens."""
    _listener.get()(work, done, total)


def steps(work: str, parts: Sequence[Part]) -> Iterator[Part]:
    """The parts, of which each is a step of the work."""
    for number, part in enumerate(parts):
        report(work, number, len(parts))
        yield part


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Let what is done meanwhile be told to `listener`, and to no other."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
