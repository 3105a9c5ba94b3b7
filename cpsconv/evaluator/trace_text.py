"""The trace as text for people, on a projector for instance: aligned columns, the line of the source beside each step.

``   2    12  a = 23;          then  next(a = 23)``

Nothing has to be known of what is yet to come: how wide the columns are follows from the program.
"""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.evaluator.trace import Datum, TraceRecord, Uninitialised, Where, places_of, span_of
from cpsconv.ir import Constant, Program, Scalar
from cpsconv.source import Span, printable

_STEP_WIDTH = 6
_WIDEST_SOURCE = 36
_WIDEST_NAME = 24
_MOST_SHOWN = 32  # characters of a value …
_MOST_WRITTEN = 60  # … and of what the program writes
_MOST_LISTED = 8  # arguments
_DEEPEST_BARS = 8
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\0": "\\0", '"': '\\"', "\\": "\\\\"}


class TextTrace:
    """Shows the records of runs of one program."""

    def __init__(self, program: Program) -> None:
        spans = {place: span_of(member) for member, place in places_of(program).items()}
        lines = {place: _line(span) for place, span in spans.items()}
        names = {place: str(place) if len(program.functions) > 1 else place.continuation for place in spans}
        self._source = printable(next((span.source.name for span in spans.values() if span), ""))
        widest = max(len(self._source), *(len(line) for _, line in lines.values()), 0)
        self._source_width = min(widest, _WIDEST_SOURCE)
        self._name_width = min(max(map(len, ("in", *names.values()))), _WIDEST_NAME)
        self._before = {place: self._columns(*line, names[place]) for place, line in lines.items()}

    def header(self) -> str:
        """The titles of the columns."""
        before = self._columns("line", _cut_front(self._source, self._source_width), "in")
        return f"{'step':>{_STEP_WIDTH}}  {before}  transfer"

    def lines(self, record: TraceRecord) -> Iterator[str]:
        """What the program wrote, if it wrote anything, and the transfer."""
        if record.output:
            yield self.output(record.output, record.depth)
        yield self.transfer(record)

    def transfer(self, record: TraceRecord) -> str:
        """The transfer alone."""
        return f"{record.step:>{_STEP_WIDTH}}  {self._before[record.at]}  {_bars(record.depth)}{_transfer(record)}"

    def output(self, written: str, depth: int) -> str:
        """What the program wrote, a character for each byte, as a line of its own."""
        blank = " " * _STEP_WIDTH + "  " + self._columns("", "", "")
        return f"{blank}  {_bars(depth)}writes {_quoted(written, _MOST_WRITTEN)}"

    def _columns(self, number: str, line: str, name: str) -> str:
        """What stands between step and transfer. Where nothing is known of a source, there are no columns for it."""
        source = f"{number:>5}  {line:{self._source_width}}  " if self._source else ""
        return f"{source}{_cut(name, self._name_width):{self._name_width}}"


def shown_datum(datum: Datum) -> str:
    """A value as the text of the program would have it, ``f.k`` for a continuation; a long one is cut."""
    value = datum.value
    if isinstance(value, Where):
        return _shown_place(value, None)
    if isinstance(value, Uninitialised):
        return "undef"
    if isinstance(value, str):
        return _quoted(value, _MOST_SHOWN)
    from cpsconv.text.spelling import literal_text  # as late as in `names_of`

    assert isinstance(datum.type, Scalar)
    return literal_text(Constant(datum.type, value))


def _transfer(record: TraceRecord) -> str:
    """``next(a = 23)``, ``branch(true) → then``, ``switch(3) → odd(n = 3)``, ``ret(a = 1) → main.after_f``"""
    way = ""
    if record.target is not None:
        way = record.target
        if record.arguments or not record.condition:
            way += f"({', '.join(_arguments(record))})"
        if record.to and record.target != (place := _shown_place(record.to, record.at.function)):
            way += f" → {place}"
    if record.condition is None:
        return way
    return f"{record.kind}({shown_datum(record.condition)}){' → ' * bool(way)}{way}"


def _arguments(record: TraceRecord) -> Iterator[str]:
    for argument in record.arguments[:_MOST_LISTED]:
        value = argument.value
        text = _shown_place(value, record.at.function) if isinstance(value, Where) else shown_datum(argument)
        yield text if argument.name is None else f"{argument.name} = {text}"
    if len(record.arguments) > _MOST_LISTED:
        yield f"… {len(record.arguments) - _MOST_LISTED} more"


def _shown_place(place: Where, function: str | None) -> str:
    """A continuation, as seen from a function. What comes after the first function is the end."""
    if place.function is None:
        return "end" if place.continuation == "return" else place.continuation
    return place.continuation if place.function == function else str(place)


def _bars(depth: int) -> str:
    """The indentation of a depth: a bar for each call that waits, or their number, so that it does not grow forever."""
    if depth <= _DEEPEST_BARS:
        return "│ " * depth
    return f"│ {depth:>{2 * _DEEPEST_BARS - 5}} │ "


def _line(span: Span | None) -> tuple[str, str]:
    """The number of the source line where the span starts, and the line."""
    if span is None:
        return "", ""
    return str(span.line), span.source.shown_line(span.line, _WIDEST_SOURCE)


def _quoted(written: str, most: int) -> str:
    """A string, of which a character stands for a byte, in quotes and on one line; cut where it is long."""
    text = written[: 4 * most].encode("latin-1").decode("utf-8", "replace")
    escaped = "".join(_ESCAPES.get(char, char) for char in text)
    return f'"{printable(_cut(escaped, most))}"'


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _cut_front(text: str, width: int) -> str:
    return text if len(text) <= width else f"…{text[len(text) - width + 1 :]}"
