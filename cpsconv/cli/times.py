"""What was spent where, as `run --time` and `eval --time` show it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from cpsconv.cli import streams


class Times:
    """The times of the parts of a command."""

    def __init__(self) -> None:
        self._parts: list[tuple[str, float]] = []

    @contextmanager
    def of(self, part: str) -> Iterator[None]:
        """Take the time of what is done within, even if it fails."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self._parts.append((part, time.perf_counter() - start))

    def tell(self, engine: str) -> None:
        """Show them on standard error."""
        for part, seconds in self._parts:
            streams.tell(f"{part:8}{seconds:9.3f} s")
        streams.tell(f"{'engine':8}{engine:>11}")
