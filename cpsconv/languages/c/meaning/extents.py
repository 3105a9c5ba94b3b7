"""The extents of initial values in static objects, and the limits of what the initialisers of a file fill."""

from __future__ import annotations

from collections.abc import Sequence

from cpsconv.core.source import Span
from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.meaning import typed_tree as t

MAX_REPEATED = 1 << 20
"""The largest number of parts that ranges repeat in one file; a part of a variable that is not static counts twice."""

MAX_SKIPPED = 1 << 22
"""The largest number of bytes before and between the initial values of the static objects of one file."""


class InitialiserLimits:
    """Counts what the initialisers of one file fill, and reports the first place that exceeds a limit."""

    def __init__(self, errors: Errors) -> None:
        self._errors = errors
        self._repeated = self._skipped = 0

    def allow_repetition(self, count: int, span: Span) -> bool:
        """Whether a range may repeat so many parts more; reported if not."""
        self._repeated += count
        if self._repeated > MAX_REPEATED:
            self._report(f"the ranges of initialisers repeat more than {MAX_REPEATED} values", span)
        return self._repeated <= MAX_REPEATED

    def check_skipped(self, parts: Sequence[t.Part]) -> None:
        """Report the last initial value of a static object if too many bytes before it have none."""
        if not parts:
            return
        last = max(parts, key=lambda part: offset_of(part.place))
        skipped = offset_of(last.place) - sum(part.value.type.size for part in parts if part is not last)
        self._skipped += max(0, skipped)
        if self._skipped > MAX_SKIPPED:
            self._report(f"the initial values of static objects skip more than {MAX_SKIPPED} bytes", last.place.span)
            self._skipped = 0

    def _report(self, message: str, span: Span) -> None:
        self._errors.report("too-large", message, span, help="assign the values in a loop when the program starts")


def offset_of(place: t.Place) -> int:
    """The offset in bytes of a part, or of the unit of a bit-field, in its variable."""
    offset = 0
    while not isinstance(place, (t.Global, t.Local)):
        if isinstance(place, t.Member):
            offset += place.field.offset
            place = place.record
        else:
            assert isinstance(place, t.Element) and isinstance(place.pointer, t.Decay)
            assert isinstance(place.index, t.Constant)
            offset += int(place.index.value) * place.type.size
            place = place.pointer.operand
    return offset
