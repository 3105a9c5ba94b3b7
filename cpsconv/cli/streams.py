"""What the command line writes, and where: results to standard output or a file, complaints to standard error."""

from __future__ import annotations

import io
import os
import sys
from collections import Counter
from collections.abc import Iterable
from typing import BinaryIO, TextIO

from cpsconv.source import MAX_ERRORS, Diagnostic, DiagnosticError, error


def speak_utf8() -> None:
    """Make the standard streams write UTF-8 whatever the locale, and never fail at a character."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def output() -> BinaryIO:
    """Standard output as bytes. Raises `DiagnosticError` where it is closed."""
    if sys.stdout is None:
        raise DiagnosticError([error("standard output is closed")])
    return sys.stdout.buffer


class _Terminal:
    """Bytes for a terminal, where each line is to be seen at once, as from a C program."""

    def __init__(self, buffer: BinaryIO) -> None:
        self._buffer = buffer
        self.flush = buffer.flush
        self.fileno = buffer.fileno

    def write(self, data: bytes) -> None:
        """Write the data, and pass it on if it ends a line."""
        self._buffer.write(data)
        if b"\n" in data:
            self._buffer.flush()


def program_output() -> BinaryIO | _Terminal:
    """Where a program that is run writes to. Raises `DiagnosticError` where standard output is closed."""
    buffer = output()
    return _Terminal(buffer) if sys.stdout.isatty() else buffer


def program_errors() -> BinaryIO:
    """Where a program that is run complains."""
    return sys.stderr.buffer if sys.stderr is not None else io.BytesIO()


def write_result(text: str, path: str | None = None) -> None:
    """Write a whole text to standard output (`None` or ``-``), or to a file: all of it or nothing.

    Raises `DiagnosticError` where that is impossible.
    """
    write_data(encoded(text), path)


def encoded(text: str) -> bytes:
    """The bytes of a text, whatever characters it has."""
    return text.encode("utf-8", "backslashreplace")


def write_data(data: bytes, path: str | None = None) -> None:
    """Write data as `write_result` writes text. Raises `DiagnosticError` where that is impossible."""
    if path is None or path == "-":
        output().write(data)
        return
    from cpsconv.cli.files import put  # only now: what it takes to write to standard output is less

    try:
        put(data, path)
    except IsADirectoryError:
        raise DiagnosticError([error(f"{path}: is a directory, not a file")]) from None
    except OSError as failure:
        reason = "there is no such folder" if isinstance(failure, FileNotFoundError) else failure.strerror
        raise DiagnosticError([error(f"{path}: cannot be written: {reason}")]) from None


def complain(diagnostics: Iterable[Diagnostic]) -> None:
    """Draw diagnostics on standard error, after everything on standard output; in colour where that is welcome.

    Of many errors, and of many warnings, only the first are drawn.
    """
    drawn = []
    counts: Counter[str] = Counter()
    for diagnostic in diagnostics:
        counts[diagnostic.severity] += 1
        if counts[diagnostic.severity] <= MAX_ERRORS:
            drawn.append(diagnostic.render(color=_colorful()))
    for severity, count in counts.items():
        if (left := count - MAX_ERRORS) > 0:
            drawn.append(f"… and {left} more {severity}{'s' if left > 1 else ''}")
    if drawn:
        tell("\n".join(drawn))


def tell(line: str) -> None:
    """Write a line to standard error, after everything on standard output."""
    if sys.stderr is not None:
        flush()
        sys.stderr.write(f"{line}\n")


def flush() -> None:
    """Pass on what was written to standard output."""
    if sys.stdout is not None:
        sys.stdout.flush()


def silence_output() -> None:
    """Let what is still to be written to standard output go nowhere."""
    _silence(sys.stdout)


def silence() -> None:
    """Let whatever is still to be written go nowhere, for nobody listens any more."""
    _silence(sys.stdout)
    _silence(sys.stderr)


def _silence(stream: TextIO | None) -> None:
    """Redirect the stream's file: when Python ends it writes what is left in its buffers, and would fail again."""
    if stream is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _colorful() -> bool:
    return sys.stderr is not None and sys.stderr.isatty() and not os.environ.get("NO_COLOR")
