"""Output: settings and colours, results to standard output or a file, diagnostics and progress to standard error."""

from __future__ import annotations

import codecs
import io
import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from os.path import basename, dirname, exists, isfile, join, realpath
from time import monotonic
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TextIO, cast

from cpsconv.core.progress import listening
from cpsconv.core.source import STANDARD_ERROR, Diagnostic, DiagnosticError, error, is_input, max_errors

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


def use_utf8() -> None:
    """Make the standard streams write UTF-8 in every locale, and escape characters that have no encoding."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


# --------------------------------------------------------------------------------------------- standard output


def output() -> BinaryIO:
    """Standard output as a byte stream. Raises `DiagnosticError` if it is closed."""
    if sys.stdout is None:
        raise DiagnosticError([error("standard output is closed", rule="file")])
    erase_progress()
    return _bytes_of(sys.stdout)


def _bytes_of(stream: TextIO) -> BinaryIO:
    """The byte stream below a text stream. A text stream without one, as in notebooks, receives decoded text."""
    return getattr(stream, "buffer", None) or cast(BinaryIO, _Decoded(stream))


class _Decoded:
    """A byte stream that decodes its data as UTF-8 and writes the characters to a text stream."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def write(self, data: bytes) -> None:
        """Write each character as soon as its bytes are complete."""
        self._stream.write(self._decoder.decode(data))

    def flush(self) -> None:
        """Write everything, including the bytes of an incomplete character."""
        self._stream.write(self._decoder.decode(b"", final=True))
        self._stream.flush()


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


class _StandardError:
    """The byte stream of standard error, which is the `filename` of each `OSError` of the stream."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, data: bytes) -> None:
        """Write the data."""
        with _standard_error():
            self._stream.write(data)

    def flush(self) -> None:
        """Flush the stream."""
        with _standard_error():
            self._stream.flush()


@contextmanager
def _standard_error() -> Iterator[None]:
    """A block that writes to standard error, which becomes the `filename` of an `OSError`."""
    try:
        yield
    except OSError as failure:
        failure.filename = STANDARD_ERROR
        raise


def program_output() -> BinaryIO | _LineBuffered:
    """The standard output of a program that is run. Raises `DiagnosticError` if standard output is closed."""
    buffer = output()
    return _LineBuffered(buffer) if sys.stdout.isatty() else buffer


def program_errors() -> BinaryIO:
    """The standard error stream of a program that is run."""
    return cast(BinaryIO, _StandardError(_bytes_of(sys.stderr))) if sys.stderr is not None else io.BytesIO()


def write_result(text: str, path: str | None = None, *, in_place: bool = False) -> None:
    """Write `text` as `write_data` writes bytes. Raises `DiagnosticError` if the file cannot be written."""
    write_data(encoded(text), path, in_place=in_place)


def fitted(text: str) -> str:
    """The text with its lines wrapped to the width of the terminal that standard output leads to.

    It is not wrapped if there is no terminal, or a terminal of less than 20 columns. The rest of a line is indented as
    its last column that starts in the first half: after two spaces or a number.
    """
    columns = width("stdout")
    if columns is None or columns < 20:
        return text
    from textwrap import TextWrapper  # late: most output goes elsewhere, or is laid out by its printer

    wrapper = TextWrapper(columns, replace_whitespace=False, expand_tabs=False, break_on_hyphens=False)
    lines = []
    for line in text.split("\n"):
        starts = [match.end() for match in re.finditer(r"^ *\d+ +|^ +|(?<=\S)  +", line) if match.end() <= columns // 2]
        wrapper.subsequent_indent = " " * max(starts, default=0)
        lines += wrapper.wrap(line) or [""]
    return "\n".join(lines)


def encoded(text: str) -> bytes:
    """The text in UTF-8, with characters that have no encoding escaped."""
    return text.encode("utf-8", "backslashreplace")


def write_data(data: bytes, path: str | None = None, *, in_place: bool = False) -> None:
    """Write the data as `write_pieces` does."""
    write_pieces([data], path, in_place=in_place)


def write_pieces(pieces: Iterable[bytes], path: str | None = None, *, in_place: bool = False) -> None:
    """Write data to standard output (`None` or ``-``), or to a file: completely or not at all.

    Raises `DiagnosticError` if the file cannot be written, or is one that was read, unless `in_place`.
    """
    if path is None or path == "-":
        stream = output()
        for piece in pieces:
            stream.write(piece)
        return
    if not in_place and is_input(path):
        raise DiagnosticError([error(f"{path}: is an input, and would be overwritten", rule="file")])
    try:
        _replace_file(path, pieces)
    except IsADirectoryError:
        raise DiagnosticError([error(f"{path}: is a directory, not a file", rule="file")]) from None
    except OSError as failure:
        reason = "there is no such folder" if isinstance(failure, FileNotFoundError) else failure.strerror
        raise DiagnosticError([error(f"{path}: cannot be written: {reason}", rule="file")]) from None


def _replace_file(name: str, pieces: Iterable[bytes]) -> None:
    """Write the pieces to a new file beside the file `name`, then rename it. Pipes and devices are written directly."""
    if exists(name) and not isfile(name):
        _write_file(name, pieces)
        return
    target = realpath(name)  # a symbolic link stays, and its target is replaced
    beside = join(dirname(target), f".{basename(target)}.{os.getpid()}")
    try:
        _write_file(beside, pieces)
        if exists(target):
            os.chmod(beside, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(beside, target)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside)


def _write_file(name: str, pieces: Iterable[bytes]) -> None:
    with open(name, "wb") as file:
        file.writelines(pieces)


def create_folder(path: str) -> None:
    """Create a folder and its parents, if missing. Raises `DiagnosticError` if that fails."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as failure:
        reason = f"{path.rstrip('/')}: the folder cannot be created: {failure.strerror}"
        raise DiagnosticError([error(reason, rule="file")]) from None


def flush() -> None:
    """Flush standard output."""
    if sys.stdout is not None:
        sys.stdout.flush()


def discard(*streams: TextIO | None) -> None:
    """Redirect the file descriptors to the null device: Python flushes its buffers at exit, which would fail again."""
    for stream in filter(None, streams):
        with suppress(io.UnsupportedOperation):  # a stream without a file
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)


# ---------------------------------------------------------------------------------------------- standard error


def report(diagnostics: Iterable[Diagnostic]) -> None:
    """Print diagnostics on standard error, without the warnings under ``--quiet``.

    As text, at most `max_errors()` errors and as many warnings are printed. For SARIF, diagnostics are collected.
    """
    found = [each for each in diagnostics if not settings.quiet or each.severity != "warning"]
    if settings.diagnostics != "text":
        settings.collected += [replace(each, file=each.file or settings.file) for each in found]
        if settings.diagnostics == "json":
            write_diagnostics()
        return
    rendered = []
    counts: Counter[str] = Counter()
    for diagnostic in found:
        counts[diagnostic.severity] += diagnostic.rule != "too-many-errors"
        if counts[diagnostic.severity] <= max_errors():
            rendered.append(diagnostic.render(use_color(), width("stderr")))
    for severity, count in counts.items():
        if (omitted := count - max_errors()) > 0:
            rendered.append(f"… and {omitted} more {severity}{'s' if omitted > 1 else ''}")
    if rendered:
        write_error("\n".join(rendered))


def note(message: str) -> None:
    """Print a note that concerns the command line, except under ``--quiet`` and among diagnostics as data."""
    if not settings.quiet and settings.diagnostics == "text":
        write_error(f"note: {message}")


def write_diagnostics() -> None:
    """Write the diagnostics that were collected: as JSON; or as a SARIF document, also if there are none."""
    if settings.diagnostics != "text":
        from cpsconv.cli.diagnostics import to_json, to_sarif  # late: most commands write text

        collected, settings.collected = settings.collected, []
        if text := to_json(collected) if settings.diagnostics == "json" else to_sarif(collected):
            write_error(text.rstrip("\n"))


def write_error_data(data: bytes) -> None:
    """Write data to standard error, after flushing standard output."""
    flush()
    erase_progress()
    errors = program_errors()
    errors.write(data)
    errors.flush()


def write_error(line: str) -> None:
    """Write a line to standard error, after flushing standard output."""
    if sys.stderr is not None:
        flush()
        with _standard_error():
            erase_progress()
            sys.stderr.write(f"{line}\n")


# ---------------------------------------------------------------------------------------------- progress bar

_DELAY = 1.0  # seconds before the first drawing
_INTERVAL = 0.1  # seconds between two drawings
_ERASE = "\r\x1b[K\x1b[?25h"  # return to the start of the line, erase it, and show the cursor, which click hides


_bar: _Bar | None = None


@contextmanager
def progress_bar(show_time: bool = False) -> Iterator[None]:
    """Show the progress of the block on a terminal if the block takes long; erase the bar at its end.

    With `show_time`, the bar estimates the time left. A block inside of another one uses the bar of the outer one.
    """
    global _bar
    if _bar or settings.quiet or not is_capable(sys.stderr):
        yield
        return
    _bar = _Bar(show_time)
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

    def __init__(self, show_time: bool) -> None:
        self.prefix = ""
        self._show_time = show_time
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
            rest = "  [  100%]  0d 00:00:00" if self._show_time else "  [  100%]  "
            columns = min(36, (width("stderr") or 80) - len(label) - len(rest))
            self._bar = click.progressbar(
                length=total, label=label, width=max(1, columns), show_eta=self._show_time, file=sys.stderr
            )
            self._bar.pos = done  # the estimate counts what is done from now on
        self._bar.update(done - self._bar.pos)
        self._bar.render_progress()  # `update` draws nothing while nothing is done
        self._due = monotonic() + _INTERVAL

    def erase(self) -> None:
        """Erase the bar from the terminal."""
        if self._bar is not None:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()
            self._bar = None
