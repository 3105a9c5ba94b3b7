"""Source texts, places in them, and every complaint of the tool.

A `Source` is one input text with its name. A `Span` is a stretch of it. A `Diagnostic` says what is wrong at a
span; `Diagnostic.render` draws it. Code that finds faults raises one `DiagnosticError` that carries all of
them, in source order.
"""

from __future__ import annotations

import os
import re
import sys
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["error", "warning", "runtime error"]

STANDARD_INPUT = "<stdin>"
"""The name of the source that is read from there."""

MAX_ERRORS = 20
"""How many errors of a text, and how many warnings, are worth telling."""

_TAB_WIDTH = 4
_WIDEST_EXCERPT = 120  # columns of a source line that a diagnostic shows
_WIDEST_LINE = 100  # columns of one that stands by itself
_INDENTATION = re.compile(r"[^\S\n]{0,1000}")  # as far as it is worth looking for its end


def printable(text: str) -> str:
    """`text` with tabs widened and control characters replaced, so that a terminal shows it on one line."""
    return "".join(
        " " * _TAB_WIDTH if char == "\t" else char if char.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for char in text
    )


class Source:
    """One input text, known to the user by `name` (a path, or ``<stdin>``)."""

    __slots__ = ("name", "text", "_line_starts")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._line_starts: list[int] | None = None

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character offset, both counted from 1."""
        starts = self._starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of line `number` (from 1), without its line end."""
        starts = self._starts()
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    def shown_line(self, number: int, width: int = _WIDEST_LINE, *, indented: bool = False) -> str:
        """Line `number` for people: printable, cut to `width` columns, with its indentation only if `indented`.

        However long the line is, that takes no longer than for a short one.
        """
        first = self._starts()[number - 1]
        indentation = None if indented else _INDENTATION.match(self.text, first)
        first = indentation.end() if indentation else first
        shown = printable(self.text[first : first + width + 1].partition("\n")[0].rstrip("\r"))
        return f"{shown[: width - 1]}…" if len(shown) > width else shown.rstrip()

    def _starts(self) -> list[int]:
        if self._line_starts is None:
            starts = [0]
            find = self.text.find
            while end := find("\n", starts[-1]) + 1:
                starts.append(end)
            self._line_starts = starts
        return self._line_starts

    def __repr__(self) -> str:
        return f"Source({self.name!r})"


class Span:
    """The characters ``start … end - 1`` of a source."""

    __slots__ = ("source", "start", "end")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of `other`."""
        return Span(self.source, self.start, other.end)

    @property
    def line(self) -> int:
        """The number of the line that the span starts on, from 1."""
        return self.source.position(self.start)[0]

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"

    def __repr__(self) -> str:
        return f"<{self}>"


@dataclass(slots=True)
class Diagnostic:
    """One complaint. `notes` are further places with what they have to do with it; `help` is a known cure."""

    severity: Severity
    message: str
    span: Span | None = None
    notes: list[tuple[str, Span | None]] = field(default_factory=list)
    help: str | None = None

    def render(self, color: bool = False) -> str:
        """Draw the diagnostic: place and message, the source line with a caret, notes, help."""
        paint = _Paint(color)
        lines = _headed_excerpt(self.severity, self.message, self.span, paint)
        for message, span in self.notes:
            lines += _headed_excerpt("note", message, span, paint)
        if self.help:
            lines.append(f"{paint('help', 'help')}: {self.help}")
        return "\n".join(lines)


class DiagnosticError(Exception):
    """The input is wrong. `diagnostics` holds every complaint found (warnings, too), in source order."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = in_source_order(diagnostics)

    def __str__(self) -> str:
        return "\n".join(diagnostic.render() for diagnostic in self.diagnostics)

    def _render_traceback_(self) -> list[str]:
        """What IPython shows: that the input is wrong is no fault of the code that a traceback would tell of."""
        return [diagnostic.render(color=not os.environ.get("NO_COLOR")) for diagnostic in self.diagnostics]


def error(
    message: str,
    span: Span | None = None,
    *,
    help: str | None = None,
    notes: list[tuple[str, Span | None]] | None = None,
) -> Diagnostic:
    """A diagnostic of severity ``error``."""
    return Diagnostic("error", message, span, notes or [], help)


def warning(
    message: str,
    span: Span | None = None,
    *,
    help: str | None = None,
    notes: list[tuple[str, Span | None]] | None = None,
) -> Diagnostic:
    """A diagnostic of severity ``warning``."""
    return Diagnostic("warning", message, span, notes or [], help)


def too_many_errors(span: Span) -> Diagnostic:
    """The error that replaces the last of `MAX_ERRORS`, which is at `span`, when a reader stops there."""
    return error("too many errors; the rest was not checked", span)


def in_source_order(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """The same diagnostics, ordered by where they start; those without a place come first."""
    return sorted(diagnostics, key=lambda found: found.span.start if found.span else -1)


def read_source(path: str) -> Source:
    """Read a UTF-8 text file; ``-`` is standard input.

    Raises `DiagnosticError` where there is no such file, where it is a directory, cannot be read, or is not UTF-8.
    """
    name = STANDARD_INPUT if path == "-" else path
    if path == "-" and sys.stdin is None:
        raise DiagnosticError([error(f"{name}: cannot be read: it is closed")])
    try:
        data = sys.stdin.buffer.read() if path == "-" else _bytes_of(path)
    except FileNotFoundError:
        raise DiagnosticError([error(f"{name}: there is no such file")]) from None
    except IsADirectoryError:
        raise DiagnosticError([error(f"{name}: is a directory, not a file")]) from None
    except (OSError, ValueError) as failure:
        reason = getattr(failure, "strerror", None) or str(failure)
        raise DiagnosticError([error(f"{name}: cannot be read: {reason}")]) from None
    return decode_source(name, data)


def _bytes_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def decode_source(name: str, data: bytes) -> Source:
    """The source whose UTF-8 encoding is `data`, a byte order mark at its start left out."""
    try:
        return Source(name, data.decode("utf-8-sig"))
    except UnicodeDecodeError as failure:
        start = len(failure.object[: failure.start].decode("utf-8"))
        span = Span(Source(name, failure.object.decode("utf-8", "replace")), start, start + 1)
        byte = failure.object[failure.start]
        raise DiagnosticError([error(f"this is not UTF-8 text (byte 0x{byte:02x})", span)]) from None


_STYLES = {
    "error": "\x1b[1;31m",
    "runtime error": "\x1b[1;31m",
    "warning": "\x1b[1;35m",
    "note": "\x1b[1;36m",
    "help": "\x1b[1;32m",
}


class _Paint:
    """Colours a word by its role where colour is wanted."""

    def __init__(self, color: bool) -> None:
        self.color = color

    def __call__(self, role: str, text: str) -> str:
        return f"{_STYLES[role]}{text}\x1b[0m" if self.color else text


def _headed_excerpt(role: str, message: str, span: Span | None, paint: _Paint) -> list[str]:
    head = f"{paint(role, role)}: {message}"
    if span is None:
        return [head]
    return [f"{span}: {head}", *_excerpt(span, role, paint)]


def _excerpt(span: Span, role: str, paint: _Paint) -> list[str]:
    """The line in which the span starts, and carets under the part of the span that lies in it.

    A long line is cut to a window around the span.
    """
    number, column = span.source.position(span.start)
    text = span.source.line(number)
    first = min(column - 1, len(text))
    last = max(first + 1, min(first + span.end - span.start, len(text)))
    window = 0 if last <= _WIDEST_EXCERPT else max(0, first - _WIDEST_EXCERPT // 2)
    shown = text[window : window + _WIDEST_EXCERPT]
    last = min(last, window + _WIDEST_EXCERPT)
    before = printable(text[window:first])
    marked = printable(text[first:last]) or " "
    gutter = f"{number:5} | "
    blank = " " * (len(gutter) - 2) + "| "
    return [gutter + printable(shown), blank + " " * len(before) + paint(role, "^" * len(marked))]


_MOST_KNOWN = 1000  # names; among more of them, a near one takes too long to find


def nearest(name: str, known: Iterable[str], likeness: float = 0.6) -> str | None:
    """The one of `known` that is most like `name`, if one is at least so much like it (1 is: the same)."""
    distinct = dict.fromkeys(known)
    from difflib import get_close_matches  # only now: few names are misspelt

    matches = get_close_matches(name, distinct, 1, likeness) if len(distinct) <= _MOST_KNOWN else []
    return matches[0] if matches else None


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """The help for a `name` that nothing has: one that is near it, if there is one."""
    near = nearest(name, known)
    return f"did you mean `{near}`?" if near else None
