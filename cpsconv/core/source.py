"""Source texts, spans, and diagnostics.

A `Source` is an input text with its name, a `Span` a range of its characters. A `Diagnostic` is an error or warning at
a span; `Diagnostic.render` prints it. Code that finds errors raises one `DiagnosticError` with all of them, in source
order.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from typing import Literal, TextIO, Union

Severity = Literal["error", "warning", "runtime error"]

STANDARD_INPUT = "<stdin>"
"""The name of the source read from standard input."""

STANDARD_ERROR = "standard error"
"""The `filename` of an `OSError` of the standard error stream."""

MAX_ERRORS = 20
"""The maximal number of errors, and of warnings, reported for a text by default."""

_max_errors: ContextVar[int] = ContextVar("max_errors", default=MAX_ERRORS)


def max_errors() -> int:
    """The maximal number of errors, and of warnings, reported for a text in the current context."""
    return _max_errors.get()


def limit_errors(limit: int) -> Token[int]:
    """Report at most `limit` errors for a text from here on; 0 removes the limit."""
    return _max_errors.set(limit or sys.maxsize)


@contextmanager
def limited_errors(limit: int) -> Iterator[None]:
    """Report at most `limit` errors for a text within the block; 0 removes the limit.

    The limit concerns errors of syntax, after which reading stops. `DiagnosticError` has all other errors.
    """
    token = limit_errors(limit)
    try:
        yield
    finally:
        _max_errors.reset(token)


_names_options: ContextVar[bool] = ContextVar("names_options", default=False)


@contextmanager
def naming_options() -> Iterator[None]:
    """Name options of the command line in messages within the block, instead of parameters of functions."""
    token = _names_options.set(True)
    try:
        yield
    finally:
        _names_options.reset(token)


def setting(option: str, parameter: str) -> str:
    """What a message says of a setting: the `option` of the command line, or in other contexts the `parameter`."""
    return option if _names_options.get() else parameter


_TAB_WIDTH = 4
_MAX_EXCERPT = 120  # columns of a source line in a diagnostic, where the width of the terminal is not known
_MIN_EXCERPT = 20  # … on a terminal, even a narrower one
_MAX_LINE = 100  # columns of `Source.shown_line`
_CONTROL = re.compile(r"[\0-\x08\x0b-\x1f\x7f]")
_INDENTATION = re.compile(r"[^\S\n]{0,1000}")


def printable(text: str) -> str:
    """`text` with tabs expanded and control characters replaced, so that a terminal shows it on one line."""
    return "".join(
        " " * _TAB_WIDTH if char == "\t" else char if char.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for char in text
    )


def shortened(name: str, width: int) -> str:
    """`name`, without its beginning if it is longer than `width`."""
    return name if len(name) <= width else f"…{name[len(name) - width + 1 :]}"


def article(type: object) -> str:
    """The indefinite article of a type, by its name."""
    return "an" if _WITH_AN.match(str(type)) else "a"


_WITH_AN = re.compile("_*([aeio]|u(?!int|nion))")  # `uint` is read as "you int"


def counted(number: int, noun: str, zero: str = "0") -> str:
    """``1 case``, ``2 cases``"""
    return f"{number or zero} {noun}{'s' * (number != 1)}"


@dataclass(eq=False, repr=False, slots=True)
class Source:
    """An input text. Its `name` is a path, or ``<stdin>``.

    `undecoded` is the offset of the first byte that is not UTF-8, if any. `text` has such bytes in the form of Python's
    error handler ``surrogateescape``.
    """

    name: str
    text: str
    undecoded: int | None = None
    _line_starts: list[int] | None = field(default=None, init=False)
    _markers: list[tuple[int, str, int]] = field(default_factory=list, init=False)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character offset, both counted from 1."""
        starts = self._starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of the character at a line and column, as `position` counts them; at most that of the last one."""
        starts = self._starts()
        start = starts[line - 1] if line <= len(starts) else len(self.text)
        return min(start + column, max(len(self.text), 1)) - 1

    def mark(self, line: int, name: str, number: int) -> None:
        """Record a line marker: `line` was line `number` of the file `name`.

        Lines are marked in their order. When a source is read again, its markers are not recorded again.
        """
        if not self._markers or line > self._markers[-1][0]:
            self._markers.append((line, name, number))

    def origin(self, offset: int) -> tuple[str, int, int]:
        """File, line and column of a character offset, where line markers name another file."""
        line, column = self.position(offset)
        index = bisect_right(self._markers, line, key=lambda marker: marker[0])
        if not index:
            return self.name, line, column
        first, name, number = self._markers[index - 1]
        return name, number + line - first, column

    def written(self, span: Span) -> Span:
        """The span in the file as written for a span of this text, which may be the result of preprocessing."""
        return span

    @property
    def shown(self) -> Source | None:
        """The source in which most spans are written, if it is another one than that which was read."""
        return None

    def provenance(self, span: Span) -> list[Note]:
        """Notes on a span of this text: the macros whose expansion contains it, and the inclusions of its file."""
        return []

    def line(self, number: int) -> str:
        """The text of line `number` (from 1), without its line end."""
        starts = self._starts()
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    def shown_line(self, number: int, width: int = _MAX_LINE, *, indented: bool = False) -> str:
        """Line `number`, printable and cut to `width` columns, without its indentation unless `indented`.

        The time does not depend on the length of the line.
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


@dataclass(eq=False, repr=False, slots=True)
class Span:
    """The characters ``start … end - 1`` of a source."""

    source: Source
    start: int
    end: int

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of `other`."""
        return Span(self.source, self.start, other.end)

    @property
    def written(self) -> Span:
        """The span in the file as written."""
        return self.source.written(self)

    @property
    def line(self) -> int:
        """The number of the span's first line in the file as written, from 1."""
        written = self.source.written(self)
        return written.source.position(written.start)[0]

    @property
    def file(self) -> str:
        """The name of the file that contains the span, as messages state it."""
        return self.source.origin(self.start)[0]

    @property
    def line_of_file(self) -> int:
        """The number of the span's first line in `file`, which line markers or debug information may name."""
        return self.source.origin(self.start)[1]

    def __str__(self) -> str:
        name, line, column = self.source.origin(self.start)
        return f"{name}:{line}:{column}"

    def __repr__(self) -> str:
        return f"<{self}>"


Note = tuple[str, Union[Span, None]]
"""A message about a further span."""


@dataclass(slots=True)
class Diagnostic:
    """An error, warning or runtime error.

    `help` states the cure. `rule` is the stable name of the broken rule, in lower case with hyphens (``undeclared``);
    the rule of a warning is the name of the group that enables it
    (``unused-variable``). `option` is the command-line option that enables a warning (``-Wunused-variable``). `file` is
    the file that a diagnostic without a span concerns, if known.
    """

    severity: Severity
    message: str
    span: Span | None = None
    notes: Sequence[Note] = ()
    help: str | None = None
    rule: str = ""
    option: str = ""
    file: str | None = None

    @property
    def all_notes(self) -> list[Note]:
        """The notes, after those that the source has on the span."""
        return [*(self.span.source.provenance(self.span) if self.span else []), *self.notes]

    def render(self, color: bool = False, width: int | None = None) -> str:
        """The text of the diagnostic: location and message, the source line with carets, notes, help.

        The lines have at most `width` columns, if their words permit it.
        """
        message = f"{self.message} [{self.option}]" if self.option else self.message
        lines = _headed_excerpt(self.severity, message, self.span, color, width)
        for message, span in self.all_notes:
            lines += _headed_excerpt("note", message, span, color, width)
        if self.help:
            lines += _headed("help", self.help, None, color, width)
        return "\n".join(lines)


class DiagnosticError(Exception):
    """The input has errors. `diagnostics` has all errors and warnings found, in source order."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = in_source_order(diagnostics)

    def __str__(self) -> str:
        return "\n".join(diagnostic.render() for diagnostic in self.diagnostics)

    def _render_traceback_(self) -> list[str]:
        """The lines that IPython shows: the diagnostics, without a traceback."""
        return [diagnostic.render(color=not os.environ.get("NO_COLOR")) for diagnostic in self.diagnostics]


def error(
    message: str, span: Span | None = None, *, help: str | None = None, notes: Sequence[Note] = (), rule: str = ""
) -> Diagnostic:
    """A diagnostic of severity ``error``."""
    return Diagnostic("error", message, span, notes, help, rule)


def warning(
    message: str, span: Span | None = None, *, help: str | None = None, notes: Sequence[Note] = (), rule: str = ""
) -> Diagnostic:
    """A diagnostic of severity ``warning``."""
    return Diagnostic("warning", message, span, notes, help, rule)


def too_many_errors(span: Span) -> Diagnostic:
    """The error that ends a list of `max_errors()` errors. The next error is at `span`."""
    return error("too many errors; the rest was not checked", span, rule="too-many-errors")


def in_source_order(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics sorted by the starts of their spans, if these are in one source; those without a span come first.

    Diagnostics in several sources remain in the order of their discovery.
    """
    if len({id(found.span.source) for found in diagnostics if found.span}) > 1:
        return diagnostics
    return sorted(diagnostics, key=lambda found: found.span.start if found.span else -1)


def read_source(path: str) -> Source:
    """Read a text file; ``-`` is standard input. `Source.undecoded` tells whether the text is UTF-8.

    Raises `DiagnosticError` if the file does not exist, is a directory, or cannot be read.
    """
    name = STANDARD_INPUT if path == "-" else path
    if path == "-" and sys.stdin is None:
        raise _unreadable(name, "cannot be read: it is closed")
    try:
        data = _standard_input(sys.stdin) if path == "-" else _bytes_of(path)
    except FileNotFoundError:
        raise _unreadable(name, "there is no such file") from None
    except IsADirectoryError:
        raise _unreadable(name, "is a directory, not a file") from None
    except (OSError, ValueError) as failure:
        reason = getattr(failure, "strerror", None) or str(failure)
        raise _unreadable(name, f"cannot be read: {reason}") from None
    return decode_source(name, data)


_inputs: ContextVar[dict[tuple[int, int], str] | None] = ContextVar("inputs", default=None)


@contextmanager
def recording_inputs() -> Iterator[Collection[str]]:
    """Record the files that are read within the block, for `is_input`. Gives their paths, at each time."""
    inputs: dict[tuple[int, int], str] = {}
    token = _inputs.set(inputs)
    try:
        yield inputs.values()
    finally:
        _inputs.reset(token)


def record_input(path: str, descriptor: int | None = None) -> None:
    """Record a regular file, perhaps opened, as one that is read. A path without a file is ignored."""
    inputs = _inputs.get()
    with suppress(OSError, ValueError):
        found = os.stat(path if descriptor is None else descriptor)
        if inputs is not None and stat.S_ISREG(found.st_mode):
            inputs[found.st_dev, found.st_ino] = path


def is_input(path: str) -> bool:
    """Whether the path leads to a recorded file."""
    with suppress(OSError, ValueError):
        found = os.stat(os.path.realpath(path))
        return (found.st_dev, found.st_ino) in (_inputs.get() or ())
    return False


def _unreadable(name: str, reason: str) -> DiagnosticError:
    return DiagnosticError([Diagnostic("error", f"{name}: {reason}", rule="file", file=name)])


def _standard_input(stream: TextIO) -> bytes:
    """The rest of the stream. A stream of characters, as in notebooks, has no bytes of its own."""
    buffer = getattr(stream, "buffer", None)
    with suppress(OSError):
        record_input(STANDARD_INPUT, stream.fileno())
    return buffer.read() if buffer else stream.read().encode("utf-8", "surrogateescape")


def _bytes_of(path: str) -> bytes:
    with open(path, "rb") as file:
        record_input(path, file.fileno())
        return file.read()


def decode_source(name: str, data: bytes) -> Source:
    """The source whose text is `data` in UTF-8, without a byte order mark.

    Raises `DiagnosticError` for a text in UTF-16 or UTF-32, with or without such a mark.
    """
    if encoding := _wide_encoding(data):
        message = f"{name}: is {encoding} text, not UTF-8"
        help = f"convert it with `iconv -f {encoding} -t UTF-8`"
        raise DiagnosticError([Diagnostic("error", message, help=help, rule="encoding", file=name)])
    text = data.decode("utf-8-sig", "surrogateescape")
    undecoded = None if text.isascii() else re.search(r"[\udc80-\udcff]", text)
    return Source(name, text, undecoded.start() if undecoded else None)


def _wide_encoding(data: bytes) -> str | None:
    """The encoding of a text in UTF-16 or UTF-32 that starts with a byte order mark, or with a character of ASCII."""
    for encoding, start in _WIDE_ENCODINGS.items():
        if re.match(start, data):
            with suppress(UnicodeDecodeError):
                data.decode(encoding)
                return encoding
    return None


_WIDE_ENCODINGS = {
    "UTF-32LE": rb"(\xff\xfe|[\x01-\x7f]\0)\0\0",
    "UTF-32BE": rb"\0\0(\xfe\xff|\0[\x01-\x7f])",
    "UTF-16LE": rb"\xff\xfe|[\x01-\x7f]\0",
    "UTF-16BE": rb"\xfe\xff|\0[\x01-\x7f]",
}
"""Regular expressions for the first bytes."""


def undecodable(source: Source, offset: int) -> DiagnosticError:
    """The error at an offset of the text with a byte that is not UTF-8."""
    byte = ord(source.text[offset]) & 0xFF
    found = error(f"this is not UTF-8 text (byte 0x{byte:02x})", Span(source, offset, offset + 1), rule="encoding")
    return DiagnosticError([found])


_STYLES = {
    "error": "\x1b[1;31m",
    "runtime error": "\x1b[1;31m",
    "warning": "\x1b[1;35m",
    "note": "\x1b[1;36m",
    "help": "\x1b[1;32m",
}


def _painted(role: str, text: str, color: bool) -> str:
    return f"{_STYLES[role]}{text}\x1b[0m" if color else text


def _headed_excerpt(role: str, message: str, span: Span | None, color: bool, width: int | None) -> list[str]:
    excerpt = _excerpt(span, role, color, width) if span else []
    return _headed(role, message, span, color, width) + excerpt


def _escaped(control: re.Match[str]) -> str:
    return f"\\x{ord(control[0]):02x}"


def _headed(role: str, message: str, span: Span | None, color: bool, width: int | None) -> list[str]:
    """The message with its location and role, in lines of at most `width` columns."""
    before = f"{span}: {role}" if span else role
    lines = [f"{before}: {_CONTROL.sub(_escaped, message)}"]
    if width and len(lines[0]) > width:
        from textwrap import wrap  # late: few messages are wider than a terminal

        lines = wrap(lines[0], width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    if lines[0].startswith(before):
        lines[0] = before[: -len(role)] + _painted(role, role, color) + lines[0][len(before) :]
    return lines


def _excerpt(span: Span, role: str, color: bool, width: int | None) -> list[str]:
    """The first line of the span, and carets under the span's part of it. A long line is cut to a window around it.

    The line has no number if it stands for one of a file whose text is not known.
    """
    span = span.written
    number, column = span.source.position(span.start)
    place = span.source.origin(span.start)
    gutter = f"{place[1] if place == Source.origin(span.source, span.start) else '':5} | "
    most = max(width - len(gutter), _MIN_EXCERPT) if width else _MAX_EXCERPT
    text = span.source.line(number)
    first = min(column - 1, len(text))
    last = max(first + 1, min(first + span.end - span.start, len(text)))
    before = printable(text[max(0, first - most) : first])
    marked = printable(text[first : min(last, first + most)])
    if last > most or len(before) + len(marked) > most:
        before = before[-(most // 2) :]
    shown = (before + marked + printable(text[last : last + most]))[:most]
    carets = "^" * max(1, min(len(marked), most - len(before)))
    blank = " " * (len(gutter) - 2) + "| "
    return [gutter + shown, blank + " " * len(before) + _painted(role, carets, color)]


_MAX_KNOWN = 1000  # names; a search among more names takes too long


def nearest(name: str, known: Iterable[str], similarity: float = 0.6) -> str | None:
    """The name in `known` that is most similar to `name`, or None if none reaches the `similarity` (at most 1).

    Its length is that of `name`, but for one character or a third: `foo` is no misspelt `floor`. A name with fewer than
    six characters has one mistake: `loop` is no misspelt `log1p`.
    """
    difference = max(1, len(name) // 3)
    if len(name) < 6:
        similarity = max(similarity, 1 - 1.2 / max(1, len(name)))
    distinct = [each for each in dict.fromkeys(known) if abs(len(each) - len(name)) <= difference]
    from difflib import get_close_matches  # imported late: few names are misspelt

    matches = get_close_matches(name, distinct, 1, similarity) if len(distinct) <= _MAX_KNOWN else []
    return matches[0] if matches else None


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """The help for an unknown `name`: a similar known name, if there is one."""
    found = nearest(name, known)
    return f"did you mean `{found}`?" if found else None
