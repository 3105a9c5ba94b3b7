"""The trace as text: aligned columns, with the source line beside each step.

``   2    12  a = 23;          then  next(a = 23)``

The widths of the columns depend on the program only, so that each record can be shown at once.
"""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.core.ir import Program, Scalar
from cpsconv.core.source import Span, printable, shortened
from cpsconv.engines.machine.memory_text import value_text
from cpsconv.engines.machine.trace import (
    ContinuationName,
    Datum,
    ForeignValue,
    Pointer,
    TraceRecord,
    Uninitialised,
    continuation_names,
    span_of,
)

_STEP_WIDTH = 6
MAX_SOURCE_WIDTH = 36
_MIN_SOURCE_WIDTH = 12
_TRANSFER_WIDTH = 24  # columns that a narrow terminal leaves for the transfer, if possible
MAX_NAME_WIDTH = 24
MAX_VALUE = 32  # characters of a value
MAX_OUTPUT = 60  # characters of output
MAX_ARGUMENTS = 8
MAX_BARS = 8
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\0": "\\0", '"': '\\"', "\\": "\\\\"}


class TextTrace:
    """Formats the records of runs of one program, in lines of at most `width` columns."""

    def __init__(self, program: Program, width: int | None = None) -> None:
        self._width = width
        spans = {name: span_of(member) for member, name in continuation_names(program).items()}
        labels = {name: str(name) if len(program.functions) > 1 else name.continuation for name in spans}
        self._name_width = min(max(map(len, ("in", *labels.values()))), MAX_NAME_WIDTH)
        most = _source_width(width, self._name_width)
        lines = {name: _line(span, most) for name, span in spans.items()}
        sources = [program.source, *(span.source for span in spans.values() if span)]
        self._source = printable(next((source.name for source in sources if source), ""))
        widest = max(len(self._source), *(len(line) for _, line in lines.values()), 0)
        self._source_width = min(widest, most)
        self._before = {name: self._columns(*line, labels[name]) for name, line in lines.items()}

    def header(self) -> str:
        """The titles of the columns."""
        before = self._columns("line", shortened(self._source, self._source_width), "in")
        return self._fitted(f"{'step':>{_STEP_WIDTH}}  {before}  transfer")

    def lines(self, record: TraceRecord) -> Iterator[str]:
        """The output of the program and the changes of memory, if any, and the transfer."""
        if record.output:
            yield self.output(record.output, record.depth)
        if record.changes:
            yield self.changes(record)
        yield self.transfer(record)

    def transfer(self, record: TraceRecord) -> str:
        """The transfer alone."""
        before = f"{record.step:>{_STEP_WIDTH}}  {self._before[record.at]}"
        return self._fitted(f"{before}  {_bars(record.depth)}{_transfer(record)}")

    def output(self, written: str, depth: int) -> str:
        """A line for output of the program, which has one character per byte."""
        blank = " " * _STEP_WIDTH + "  " + self._columns("", "", "")
        return self._fitted(f"{blank}  {_bars(depth)}writes {_quoted(written, MAX_OUTPUT)}")

    def changes(self, record: TraceRecord) -> str:
        """A line for the changes of memory."""
        shown = [f"{change.name} = {datum_text(change)}" for change in record.changes[:MAX_ARGUMENTS]]
        if len(record.changes) > MAX_ARGUMENTS:
            shown.append(f"… {len(record.changes) - MAX_ARGUMENTS} more")
        blank = " " * _STEP_WIDTH + "  " + self._columns("", "", "")
        return self._fitted(f"{blank}  {_bars(record.depth)}stores {', '.join(shown)}")

    def _fitted(self, line: str) -> str:
        return _truncated(line, self._width) if self._width else line

    def _columns(self, number: str, line: str, name: str) -> str:
        """The columns between step and transfer. Without locations in a source, its columns are omitted."""
        source = f"{line:{self._source_width}}  " if self._source_width else ""
        location = f"{number:>5}  {source}" if self._source else ""
        return f"{location}{_truncated(name, self._name_width):{self._name_width}}"


def datum_text(datum: Datum) -> str:
    """A value as in the text of the program, ``f.k`` for a continuation; a long one is truncated."""
    value = datum.value
    if isinstance(value, ContinuationName):
        return _local_name(value, None)
    if isinstance(value, Uninitialised):
        return "undef"
    if isinstance(value, (Pointer, ForeignValue)):
        return _truncated(value.text, MAX_VALUE) if isinstance(value, ForeignValue) else value.text
    if isinstance(value, str):
        return _quoted(value, MAX_VALUE)
    assert isinstance(datum.type, Scalar)
    return value_text(datum.type, value)


def _transfer(record: TraceRecord) -> str:
    """``next(a = 23)``, ``branch(true) → then``, ``switch(3) → odd(n = 3)``, ``ret(a = 1) → main.after_f``"""
    text = ""
    if record.target is not None:
        text = record.target
        if record.arguments or not record.condition:
            text += f"({', '.join(_arguments(record))})"
        if record.to and record.target != (name := _local_name(record.to, record.at.function)):
            text += f" → {name}"
    if record.condition is None:
        return text
    return f"{record.kind}({datum_text(record.condition)}){' → ' * bool(text)}{text}"


def _arguments(record: TraceRecord) -> Iterator[str]:
    for argument in record.arguments[:MAX_ARGUMENTS]:
        value = argument.value
        text = _local_name(value, record.at.function) if isinstance(value, ContinuationName) else datum_text(argument)
        yield text if argument.name is None else f"{argument.name} = {text}"
    if len(record.arguments) > MAX_ARGUMENTS:
        yield f"… {len(record.arguments) - MAX_ARGUMENTS} more"


def _local_name(name: ContinuationName, function: str | None) -> str:
    """The name of a continuation in a function; ``end`` for the return continuation of the first function."""
    if name.function is None:
        return "end" if name.continuation == "return" else name.continuation
    return name.continuation if name.function == function else str(name)


def _bars(depth: int) -> str:
    """The indentation for a depth: a bar for each pending call, or from a limit on their number."""
    if depth <= MAX_BARS:
        return "│ " * depth
    return f"│ {depth:>{2 * MAX_BARS - 5}} │ "


def _source_width(width: int | None, name_width: int) -> int:
    """The maximal width of the source line's column; 0, if less than `_MIN_SOURCE_WIDTH` is left of `width`."""
    if width is None:
        return MAX_SOURCE_WIDTH
    left = width - _STEP_WIDTH - len("  12345  ") - len("  ") - name_width - len("  ") - _TRANSFER_WIDTH
    return min(left, MAX_SOURCE_WIDTH) if left >= _MIN_SOURCE_WIDTH else 0


def _line(span: Span | None, width: int) -> tuple[str, str]:
    """The number and the text of the source line where the span starts."""
    if span is None:
        return "", ""
    return str(span.line), span.written.source.shown_line(span.line, width) if width else ""


def _quoted(written: str, most: int) -> str:
    """A string with one character per byte, in quotes and on one line; a long one is truncated."""
    text = written[: 4 * most].encode("latin-1").decode("utf-8", "replace")
    escaped = "".join(_ESCAPES.get(char, char) for char in text)
    return f'"{printable(_truncated(escaped, most))}"'


def _truncated(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"
