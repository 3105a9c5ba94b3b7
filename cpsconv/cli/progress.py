"""A progress bar on standard error, for work that takes long."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from cpsconv.progress import listening

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

_PATIENCE = 1.0  # seconds that work may take without a bar
_PAUSE = 0.1  # seconds between two drawings
_ERASE = "\r\x1b[K\x1b[?25h"  # goes to the start of the line, empties it, and shows the cursor, which click hides


@contextmanager
def shown() -> Iterator[None]:
    """Show how far what is done meanwhile has come, if it takes long and somebody looks. In the end nothing is left."""
    if sys.stderr is None or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    bar = _Bar()
    try:
        with listening(bar):
            yield
    finally:
        bar.erase()


class _Bar:
    """Listens to progress, and draws it."""

    def __init__(self) -> None:
        self._due = monotonic() + _PATIENCE
        self._work = ""
        self._bar: ProgressBar[int] | None = None

    def __call__(self, work: str, done: int, total: int) -> None:
        """Draw it, unless it is too early. Each kind of work has a bar of its own, in the same line."""
        if monotonic() < self._due:
            return
        if self._bar is None or work != self._work:
            import click

            self.erase()
            self._work = work
            self._bar = click.progressbar(length=total, label=work, show_eta=False, file=sys.stderr)
        self._bar.update(done - self._bar.pos)
        self._bar.render_progress()  # also where nothing is done yet
        self._due = monotonic() + _PAUSE

    def erase(self) -> None:
        """Take the bar from the screen, if there is one."""
        if self._bar is not None:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()
            self._bar = None
