"""Progress reports of long-running work, delivered to the listener set in the current context."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Part = TypeVar("Part")

Listener = Callable[[str, int, int], None]
"""Called with the kind of work, the number of steps done, and their total number."""


def ignore(work: str, done: int, total: int) -> None:
    """The listener that ignores all reports."""


_listener: ContextVar[Listener] = ContextVar("listener", default=ignore)


def report(work: str, done: int, total: int) -> None:
    """Report progress to the current listener."""
    _listener.get()(work, done, total)


def steps(work: str, parts: Sequence[Part]) -> Iterator[Part]:
    """Yield the parts, and report each as a step of the work."""
    for number, part in enumerate(parts):
        report(work, number, len(parts))
        yield part


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Deliver the reports of the block to `listener` only."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
