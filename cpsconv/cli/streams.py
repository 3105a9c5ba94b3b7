"""Output: results to standard output or a file, diagnostics and progress bars to standard error."""

from __future__ import annotations

import io
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, BinaryIO, TextIO

from cpsconv.progress import listening
from cpsconv.source import Diagnostic, DiagnosticError, error, max_errors

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar


def use_utf8() -> None:
    """Make the standard streams write UTF-8 in every locale, and escape characters that have no encoding."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


# --------------------------------------------------------------------------------------------- standard output


def output() -> BinaryIO:
    """Standard output as a byte stream. Raises `DiagnosticError` if it is closed."""
    if sys.stdout is None:
        raise DiagnosticError([error("standard output is closed")])
    return sys.stdout.buffer


class _LineBuffered:
    """A byte stream to a terminal that is flushed after each line, as the standard output of a C program is."""

    def __init__(self, buffer: BinaryIO) -> None:
        self._buffer = buffer
        self.flush = buffer.flush
        self.fileno = buffer.fileno

    def write(self, data: bytes) -> None:
        """Write the data, and flush if it ends a line."""
        self._buffer.write(data)
        if b"\n" in data:
            self._buffer.flush()


def program_output() -> BinaryIO | _LineBuffered:
    """The standard output of a program that is run. Raises `DiagnosticError` if standard output is closed."""
    buffer = output()
    return _LineBuffered(buffer) if sys.stdout.isatty() else buffer


def program_errors() -> BinaryIO:
    """The standard error stream of a program that is run."""
    return sys.stderr.buffer if sys.stderr is not None else io.BytesIO()


def write_result(text: str, path: str | None = None) -> None:
    """Write `text` as `write_data` writes bytes. Raises `DiagnosticError` if the file cannot be written."""
    write_data(encoded(text), path)


def encoded(text: str) -> bytes:
    """The text in UTF-8, with characters that have no encoding escaped."""
    return text.encode("utf-8", "backslashreplace")


def write_data(data: bytes, path: str | None = None) -> None:
    """Write the data to standard output (`None` or ``-``), or to a file: completely or not at all.

    Raises `DiagnosticError` if the file cannot be written.
    """
    if path is None or path == "-":
        output().write(data)
        return
    try:
        _replace_file(path, data)
    except IsADirectoryError:
        raise DiagnosticError([error(f"{path}: is a directory, not a file")]) from None
    except OSError as failure:
        reason = "there is no such folder" if isinstance(failure, FileNotFoundError) else failure.strerror
        raise DiagnosticError([error(f"{path}: cannot be written: {reason}")]) from None


def _replace_file(name: str, data: bytes) -> None:
    """Write `data` to a new file beside the file `name`, then rename it. A pipe or a device is written to directly."""
    import shutil  # late, as `Path`: output to standard output needs neither
    from pathlib import Path

    path = Path(name)
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    target = path.resolve()  # a symbolic link stays, and its target is replaced
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def flush() -> None:
    """Flush standard output."""
    if sys.stdout is not None:
        sys.stdout.flush()


def discard(*streams: TextIO | None) -> None:
    """Redirect the file descriptors to the null device: Python flushes its buffers at exit, which would fail again."""
    for stream in filter(None, streams):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


# ---------------------------------------------------------------------------------------------- standard error


def report(diagnostics: Iterable[Diagnostic]) -> None:
    """Print diagnostics on standard error; in colour on a terminal, unless ``NO_COLOR`` is set.

    At most `max_errors()` errors and as many warnings are printed.
    """
    rendered = []
    counts: Counter[str] = Counter()
    for diagnostic in diagnostics:
        counts[diagnostic.severity] += diagnostic.rule != "too-many-errors"
        if counts[diagnostic.severity] <= max_errors():
            rendered.append(diagnostic.render(color=_use_color()))
    for severity, count in counts.items():
        if (omitted := count - max_errors()) > 0:
            rendered.append(f"… and {omitted} more {severity}{'s' if omitted > 1 else ''}")
    if rendered:
        write_error("\n".join(rendered))


def write_error(line: str) -> None:
    """Write a line to standard error, after flushing standard output."""
    if sys.stderr is not None:
        flush()
        sys.stderr.write(f"{line}\n")


def _use_color() -> bool:
    return sys.stderr is not None and sys.stderr.isatty() and not os.environ.get("NO_COLOR")


# -------------------------------------------------------------------------------------------------- progress bar

_DELAY = 1.0  # seconds before the first drawing
_INTERVAL = 0.1  # seconds between two drawings
_ERASE = "\r\x1b[K\x1b[?25h"  # return to the start of the line, erase it, and show the cursor, which click hides


@contextmanager
def progress_bar() -> Iterator[None]:
    """Show the progress of the block on a terminal if the block takes long; erase the bar at its end."""
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
    """A progress listener that draws bars on standard error."""

    def __init__(self) -> None:
        self._due = monotonic() + _DELAY
        self._work = ""
        self._bar: ProgressBar[int] | None = None

    def __call__(self, work: str, done: int, total: int) -> None:
        """Draw the bar if it is due. Each kind of work has its own bar, on the same line."""
        if monotonic() < self._due:
            return
        if self._bar is None or work != self._work:
            import click

            self.erase()
            self._work = work
            self._bar = click.progressbar(length=total, label=work, show_eta=False, file=sys.stderr)
        self._bar.update(done - self._bar.pos)
        self._bar.render_progress()  # `update` draws nothing while nothing is done
        self._due = monotonic() + _INTERVAL

    def erase(self) -> None:
        """Erase the bar from the terminal."""
        if self._bar is not None:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()
            self._bar = None
