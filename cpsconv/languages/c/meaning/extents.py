"""The extents of initial values in static objects, and their limit."""

from __future__ import annotations

from collections.abc import Sequence

from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.syntax import tree as c

MAX_SKIPPED = 1 << 23
"""The largest number of bytes that the initial values of the static objects of one file skip or repeat."""


class InitialiserLimits:
    """Counts the bytes of static objects that are not in the text of one file, and reports if they are too many."""

    def __init__(self, errors: Errors) -> None:
        self._errors = errors
        self._skipped = 0

    def check(self, parts: Sequence[t.Part]) -> None:
        """Report the last initial value of a static object if its size exceeds the limit."""
        ends, written = [0], 0
        for part in parts:
            if isinstance(part.value, t.Repetition):
                ends.append(offset_of(part.place) + part.place.type.size * (part.value.count + 1))
            else:
                ends.append(offset_of(part.place) + part.value.type.size)
                written += part.value.type.size
        self._skipped += max(0, max(ends) - written)
        if self._skipped > MAX_SKIPPED:
            message = f"the initial values of static objects skip or repeat more than {MAX_SKIPPED} bytes"
            last = parts[ends.index(max(ends)) - 1]
            help = "assign the values in a loop when the program starts"
            self._errors.report("too-large", message, last.place.span, help=help)
            self._skipped = 0


def offset_of(place: t.Place) -> int:
    """The offset in bytes of a part, or of the unit of a bit-field, in its variable."""
    steps = t.path(place)[1]
    return sum(
        each.field.offset if isinstance(each, c.Member) else int(each.index.value) * each.type.size for each in steps
    )
