"""The parts of an object that its initialiser initialises, where lists and designators may replace earlier parts.

A later part or list replaces earlier ones (C17 6.7.9, paragraph 19), perhaps only in some elements of a range. So what
is known of an array or record are *pieces*: sequences of elements that have the same parts, each with the number of the
part among all that the initialiser has.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field
from typing import Union

from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Span
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.constants import is_constant
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import INT, CType

MAX_EXPANDED = 64
"""The largest number of parts in the elements of a range that are initialised one by one."""

MAX_COPIES = 1_000_000
"""The largest number of parts in the elements of ranges of one static object that are initialised one by one, besides
`MAX_EXPANDED` for each range, since designators replace other parts of the elements; those of other objects count five
times."""

Step = Union[c.Member, c.Subscript]

Entry = tuple[int, tuple[int, ...], int]
"""The number of a part, the fields and indices that lead to it or to an element around it, and how many more elements
the parts of that element are copied to."""


class TooManyCopiesError(Exception):
    """Too many parts of ranges are initialised one by one."""


class InitialParts:
    """The parts of one object that are initialised so far; they may be incomplete, or overlap.

    The object `is_static` if its initial values must be constant. `unbraced` is the first inner array or record whose
    values have no braces of their own: its type, and the span of its first value.
    """

    def __init__(self, is_static: bool) -> None:
        self.is_static = is_static
        self.found: list[t.Part] = []
        self._ranges: list[tuple[int, t.Place, int]] = []
        self.is_incomplete = self.has_designators = False
        self.unbraced: tuple[CType, Span] | None = None

    def replace(self, place: t.Place) -> None:
        """Record that the next parts initialise the place as a whole."""
        self._ranges.append((len(self.found), place, 1))

    def repeat(self, place: t.Place, count: int) -> None:
        """Record that `count` elements from the place on are initialised like the element there."""
        self._ranges.append((len(self.found), place, count))

    def remaining(self) -> list[t.Part]:
        """The parts that no later part or list replaces, in time proportional to their number.

        The first element of a range that has a part has its value; others read it, unless it is a constant. Raises
        `TooManyCopiesError`.
        """
        if not self.has_designators:
            return self.found
        entries: list[Entry] = []
        _collect(self._known(), (), entries)
        entries.sort(key=lambda entry: entry[0])
        copies = len(entries) - len(self.found) - MAX_EXPANDED * len(self._ranges)
        if copies * (1 if self.is_static else 5) > MAX_COPIES:
            raise TooManyCopiesError
        first: dict[int, t.Place] = {}
        parts = []
        for number, indices, more in entries:
            place, value = _at(self.found[number].place, indices), self.found[number].value
            if more:
                value = t.Repetition(value.span, more)
            elif first.setdefault(number, place) is not place and not _is_constant(value):
                value = c.Read(value.span, place.type, first[number])
            parts.append(t.Part(place, value))
        return parts

    def _known(self) -> _Known:
        """What is known of the whole object."""
        root = _Known()
        ranges = iter([*self._ranges, (len(self.found) + 1, None, 1)])
        start, place, count = next(ranges)
        for number, part in enumerate([*self.found, None]):  # empty lists and ranges may follow the last part
            while start <= number:
                if count == 1:
                    root.at(t.path(place)[1]).clear()
                else:
                    *outer, element = t.path(place)[1]
                    root.at(outer).repeat(_index(element), count)
                start, place, count = next(ranges)
            if part is not None:
                known = root.at(t.path(part.place)[1])
                known.clear()
                known.number = number
        return root


class _Known(metaclass=NodeType):
    """What is known of an object: the number of its own part, if it has one, and pieces of its parts."""

    number: int | None = None
    pieces: list[_Piece] = field(default_factory=list)

    def clear(self) -> None:
        self.number, self.pieces = None, []

    def copy(self) -> _Known:
        """(Recursive: so deep as types.)"""
        return _Known(self.number, [_Piece(each.start, each.end, each.known.copy()) for each in self.pieces])

    def at(self, steps: list[Step]) -> _Known:
        """What is known of a part. Parts in other fields of a union are dropped."""
        known = self
        for step in steps:
            index = _index(step)
            is_union = isinstance(step, c.Member) and step.operand.type.unqualified.is_union
            if is_union and [piece.start for piece in known.pieces] != [index]:
                known.clear()
            known = known._part(index)
        return known

    def repeat(self, first: int, count: int) -> None:
        """Replace what is known of some elements by what is known of the first one."""
        known = self._part(first)
        start, end = self._cut(first), self._cut(first + count)
        self.pieces[start:end] = [_Piece(first, first + count, known)]

    def _part(self, index: int) -> _Known:
        """What is known of one element or field, apart from others that have the same parts."""
        start, end = self._cut(index), self._cut(index + 1)
        if start == end:
            self.pieces.insert(start, _Piece(index, index + 1, _Known()))
        return self.pieces[start].known

    def _cut(self, index: int) -> int:
        """Divide the piece that contains the index and others before it. Returns the number of pieces before it."""
        at = bisect_right(self.pieces, index, key=lambda piece: piece.start) - 1
        if at < 0 or self.pieces[at].end <= index:
            return at + 1
        piece = self.pieces[at]
        if piece.start < index:
            self.pieces.insert(at + 1, _Piece(index, piece.end, piece.known.copy()))
            piece.end = index
            return at + 1
        return at


class _Piece(metaclass=NodeType):
    """A field, or the elements of an array from `start` to before `end`, with equal parts."""

    start: int
    end: int
    known: _Known


def _collect(known: _Known, indices: tuple[int, ...], entries: list[Entry]) -> None:
    """Add the parts in the order of their places. (Recursive: so deep as types.)"""
    if known.number is not None:
        entries.append((known.number, indices, 0))
    for piece in known.pieces:
        start, element = len(entries), (*indices, piece.start)
        _collect(piece.known, element, entries)
        size, more = len(entries) - start, piece.end - piece.start - 1
        if size * more > MAX_EXPANDED:
            entries.append((max(number for number, _, _ in entries[start:]), element, more))
        elif size:
            for index in range(piece.start + 1, piece.end):
                _collect(piece.known, (*indices, index), entries)


def _index(step: Step) -> int:
    """The number of a field or element."""
    return step.field.number if isinstance(step, c.Member) else int(step.index.value)  # type: ignore[attr-defined]


def _at(place: t.Place, indices: tuple[int, ...]) -> t.Place:
    """The place with other indices, or the element around it that the indices lead to."""
    innermost, steps = t.path(place)
    steps = steps[: len(indices)]
    if all(_index(step) == index for step, index in zip(steps, indices, strict=True)):
        return steps[-1] if steps else place
    place = innermost
    for step, index in zip(steps, indices, strict=True):
        if isinstance(step, c.Member):
            place = t.member(place, step.field, step.span, step.type)
        else:
            pointer = c.Decay(step.span, step.pointer.type, place)
            place = t.element(pointer, c.Constant(step.span, INT, index), step.span)
    return place


def _is_constant(value: c.Expression) -> bool:
    """Whether the value is a constant, so that it can be computed repeatedly."""
    return isinstance(value, (c.StringLiteral, t.Repetition)) or is_constant(value)
