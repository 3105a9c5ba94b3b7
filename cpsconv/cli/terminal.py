"""The terminal: output settings, colours, width, and progress bars on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, Literal, TextIO

from cpsconv.progress import listening
from cpsconv.source import Diagnostic

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar


class Settings:
    """The options of a command that concern all of its output."""

    def __init__(self) -> None:
        self.color = "auto"  # always, never; auto: for terminals, according to the environment
        self.quiet = False
        self.diagnostics = "text"  # json, sarif
        self.collected: list[Diagnostic] = []  # for one SARIF document
        self.file: str | None = None  # the file that is processed
        self.widths: dict[str, int | None] | None = None  # of stdout and stderr; None: not determined yet

    def update(self, color: str | None = None, quiet: bool = False, diagnostics: str | None = None) -> None:
        """Apply the options that are given."""
        self.color = color or self.color
        self.quiet = quiet or self.quiet
        self.diagnostics = diagnostics or self.diagnostics


settings = Settings()


def fix_settings() -> None:
    """Determine what depends on the terminal, for processes whose output is recorded."""
    settings.color = "always" if use_color() else "never"
    settings.widths = {name: width(name) for name in ("stdout", "stderr")}


def use_color() -> bool:
    """Whether diagnostics are coloured: by ``--color``, ``NO_COLOR``, ``FORCE_COLOR``, or on a capable terminal."""
    if settings.color != "auto":
        return settings.color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or is_capable(sys.stderr)


def width(name: Literal["stdout", "stderr"]) -> int | None:
    """The number of columns of the terminal to which a stream leads; None if it leads to none."""
    if settings.widths is not None:
        return settings.widths[name]
    stream: TextIO | None = getattr(sys, name)
    if stream is None or not stream.isatty():
        return None
    if (columns := os.environ.get("COLUMNS", "")).isdecimal():
        return int(columns) or None
    with suppress(OSError):
        return os.get_terminal_size(stream.fileno()).columns or None
    return None


def is_capable(stream: TextIO | None) -> bool:
    """Whether the stream is a terminal that interprets escape sequences."""
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


# -------------------------------------------------------------------------------------------------- progress bar

_DELAY = 1.0  # seconds before the first drawing
_INTERVAL = 0.1  # seconds between two drawings
_ERASE = "\r\x1b[K\x1b[?25h"  # return to the start of the line, erase it, and show the cursor, which click hides


_bar: _Bar | None = None


@contextmanager
def progress_bar() -> Iterator[None]:
    """Show the progress of the block on a terminal if the block takes long; erase the bar at its end.

    A block inside of another one uses the bar of the outer one.
    """
    global _bar
    if _bar or settings.quiet or not is_capable(sys.stderr):
        yield
        return
    _bar = _Bar()
    try:
        with listening(_bar.show):
            yield
    finally:
        erase_progress()
        _bar = None


def count_progress(done: int, total: int) -> None:
    """Precede all kinds of work in the current progress bar by ``done/total``, the progress of the whole command."""
    if _bar:
        _bar.prefix = f"{done}/{total} "


def forget_progress() -> None:
    """Leave the current progress bar to the process that has drawn it."""
    global _bar
    _bar = None


def erase_progress() -> None:
    """Erase the current progress bar from the terminal, before other output."""
    if _bar:
        _bar.erase()


class _Bar:
    """A progress listener that draws bars on standard error."""

    def __init__(self) -> None:
        self.prefix = ""
        self._due = monotonic() + _DELAY
        self._label = ""
        self._bar: ProgressBar[int] | None = None

    def show(self, work: str, done: int, total: int) -> None:
        """Draw the bar if it is due. Each kind of work has its own bar, on the same line."""
        if monotonic() < self._due:
            return
        label = self.prefix + work
        if self._bar is None or label != self._label:
            import click

            self.erase()
            self._label = label
            columns = min(36, (width("stderr") or 80) - len(label) - len("  [  100%]  "))
            self._bar = click.progressbar(
                length=total, label=label, width=max(1, columns), show_eta=False, file=sys.stderr
            )
        self._bar.update(done - self._bar.pos)
        self._bar.render_progress()  # `update` draws nothing while nothing is done
        self._due = monotonic() + _INTERVAL

    def erase(self) -> None:
        """Erase the bar from the terminal."""
        if self._bar is not None:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()
            self._bar = None
