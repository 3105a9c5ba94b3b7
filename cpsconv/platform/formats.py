"""Formats of C's `printf`: their arguments, also those of directives that only the library prints.

`cpsconv.core.operations.formats` parses formats, and has the directives that a program prints itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from cpsconv.core.ir import DOUBLE, INT, INTEGER, LONG_DOUBLE, PTR, UNSIGNED, Scalar
from cpsconv.core.operations.formats import (
    INTEGERS,
    OTHER_ARGUMENTS,
    SIZES,
    PrintValue,
    number,
    print_effects,
    shown_directive,
)

_OF_LIBRARY = re.compile(
    r"%([0-9]+\$)?[-+ #0'I]*[*0-9$]*(\.[*0-9$]*)?"
    r"(l[cs]|[CSmcsp%]|[LqZ][diouxX]|(ll|[hljztLq]|hh)?[diouxXbBfFeEgGaAn])"
)


def is_of_library(format: str) -> bool:
    """Whether a directive is no print effect of C, so that the library prints: ``%ls``, ``%m``, ``%'d``, ``%2$d``."""
    values = [each for each in print_effects(format) if isinstance(each, PrintValue)]
    return any(each.type is None or each.type is INTEGER for each in values)


def without_meaning(format: str) -> Iterator[str]:
    """The directives that neither C nor glibc defines. The library prints those with an unknown conversion as text."""
    for each in print_effects(format):
        if isinstance(each, PrintValue) and each.type is None and not _OF_LIBRARY.fullmatch(each.directive):
            yield shown_directive(each)


class Slot(NamedTuple):
    """An argument of a format; `shown` is its directive, or ``*`` for a width or precision.

    `type` is None if the format does not use the argument. `target` is the type of the object that a pointer points to,
    if the directive states it: ``%n``, ``%ls``.
    """

    shown: str
    type: Scalar | None
    target: Scalar | None = None


MAX_POSITION = 4096
"""The largest position of an argument that the library accepts."""

_POSITIONS = re.compile(r"[%*]([0-9]+)\$")


@lru_cache
def slots(format: str) -> Sequence[Slot]:
    """The arguments of the format, in order. As in glibc, uses without a position are those of the first arguments."""
    found: dict[int, Slot] = {}
    count = 0
    for position, slot in _uses(format):
        count += not position
        found.setdefault(position or count, slot)
    last = max(found, default=0)
    return [found.get(each, Slot("", None)) for each in range(1, last + 1)] if last <= MAX_POSITION else []


def _uses(format: str) -> Iterator[tuple[int, Slot]]:
    """The uses of arguments by a format: the position that a directive states, or 0, and the slot."""
    for each in print_effects(format):
        if isinstance(each, PrintValue):
            for size in (each.width, each.precision):
                if size and size.startswith("*"):
                    yield _position(size), Slot("*", INT)
            if slot := _value_slot(each):
                yield _position(each.directive), slot


def _position(text: str) -> int:
    stated = _POSITIONS.match(text)
    return number(stated[1]) if stated else 0


def _value_slot(value: PrintValue) -> Slot | None:
    """The slot of the argument that a directive prints or changes; None if there is none, as for ``%m``."""
    shown, conversion, length = value.directive, value.conversion, value.length
    if value.type is not None:
        return Slot(shown, value.type)
    size = 64 if length in ("L", "q", "Z") else SIZES[length]
    is_wide = length in ("l", "ll")
    match conversion:
        case "n":
            return Slot(shown, PTR, INTEGERS[True, size])
        case "S" | "s" if is_wide or conversion == "S":
            return Slot(shown, PTR, INT)
        case "C" | "c" if is_wide or conversion == "C":
            return Slot(shown, UNSIGNED)
        case "d" | "i" | "o" | "u" | "x" | "X" | "b" | "B":
            return Slot(shown, INTEGERS[conversion in "di", max(size, INT.bits)])
    type = OTHER_ARGUMENTS.get(conversion)
    return Slot(shown, LONG_DOUBLE if type is DOUBLE and length == "L" else type) if type else None


def without_long_long(format: str) -> str:
    """The format with ``%ld`` for ``%lld``: a `long` has the same size, and no type of a program is `long long`."""
    parts = print_effects(format)
    texts = (
        part[0].replace("ll", "l") if isinstance(part, PrintValue) else part[0].replace("%", "%%") for part in parts
    )
    return "".join(texts)
