"""The parser of printf formats, into typed print effects: literal texts, and conversions of one argument each.

No other module parses formats: the evaluator executes print effects, back ends write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple, Union

from cpsconv.core.ir import (
    BOOL,
    DOUBLE,
    INT,
    INTEGER,
    LONG_DOUBLE,
    PTR,
    SCALARS,
    STRING,
    UNSIGNED,
    UNSIGNED_CHAR,
    Scalar,
    Type,
)
from cpsconv.core.operations.python_printf import c_string

_DIRECTIVE = re.compile(
    r"%(?:[0-9]+\$)?(?P<flags>[-+ #0'I]*)(?P<width>\*(?:[0-9]+\$)?|[0-9]*)"
    r"(?:\.(?P<precision>\*(?:[0-9]+\$)?|[0-9]*))?(?P<length>hh|h|ll|l|j|z|t|L|q|Z|)"
    r"(?P<conversion>[\xc2-\xf4][\x80-\xbf]+|.?)",
    re.DOTALL,
)
"""A directive. (An unknown conversion may be a character of several bytes.)"""

_SIZES = {"": 32, "hh": 8, "h": 16, "l": 64, "ll": 64, "j": 64, "z": 64, "t": 64}
"""The size of an integer in bits, by length modifier."""

_LENGTHS = {
    **dict.fromkeys("diouxX", _SIZES),  # integers
    **dict.fromkeys("fFeEgGaA", ("", "l")),
    **dict.fromkeys("csp", ("",)),
}
"""The length modifiers of each conversion."""

MAX_SIZE = 1_000_000
"""The largest width and precision in emitted functional programs and in the page."""

_INTEGERS = {(type.signed, type.bits): type for type in SCALARS.values() if type.kind == "integer"}
"""The integer types by signedness and size; the one of 8 bits with a sign is `signed char`, which follows `char`."""

_OTHERS = {**dict.fromkeys("fFeEgGaA", DOUBLE), "c": INT, "s": STRING, "p": PTR}
"""The types of the arguments of other conversions. ``%s`` takes a `ptr`, too: see `accepts`."""


def _promoted_type(conversion: str, length: str) -> Scalar | None:
    """The type of the argument, after the default promotions; None if the conversion is not supported.

    ``%Zd``, as in the library GMP, takes an `integer`.
    """
    if length == "Z" and conversion == "d":
        return INTEGER
    if length == "L" and conversion in "fFeEgGaA":
        return LONG_DOUBLE
    if length not in _LENGTHS.get(conversion, ()):
        return None
    return _OTHERS.get(conversion) or _INTEGERS[conversion in "di", max(_SIZES[length], INT.bits)]


class PrintText(NamedTuple):
    """Prints `text` literally; ``%%`` is replaced by ``%``."""

    text: str


class PrintValue(NamedTuple):
    """Prints one argument, of the promoted `type`, by the conversion character `conversion`.

    `directive` is the whole ``%…``. `width` and `precision` are digits, or ``*`` for a further argument; an empty
    `width` is none, an empty `precision` is 0, and a `precision` of None is none. `type` is None if the directive is
    not supported.
    """

    directive: str
    flags: str
    width: str
    precision: str | None
    length: str
    conversion: str
    type: Scalar | None

    @property
    def shown_type(self) -> Scalar | None:
        """The type to which the argument is converted before printing: ``%hhd`` prints a `signed char`."""
        if self.type is None or self.type.kind != "integer":
            return self.type
        return UNSIGNED_CHAR if self.conversion == "c" else _INTEGERS[self.type.signed, _SIZES[self.length]]

    @property
    def stars(self) -> int:
        """The number of `int` arguments before the value, for width and precision."""
        return (self.width == "*") + (self.precision == "*")

    def fits(self, types: Sequence[Type]) -> bool:
        """Whether arguments of these types suit the stars and the conversion."""
        wanted = [*[INT] * self.stars, self.type]
        return len(types) == len(wanted) and all(map(accepts, wanted, types))


PrintEffect = Union[PrintText, PrintValue]


def accepts(wanted: Scalar | None, type: Type) -> bool:
    """Whether an argument of the type suits a conversion that takes the type `wanted`, or None if it is not supported.

    The size of a number does not matter, except that of a `long double`. Instead of a `string`, a `ptr` to the
    characters in memory is accepted.
    """
    if wanted is STRING and type is PTR:
        return True
    return wanted is not None and isinstance(type, Scalar) and argument_kind(type) == argument_kind(wanted)


def argument_kind(type: Scalar) -> str:
    """The kind of a type of which a conversion takes all sizes: `integer`, `float`, `long double` and so on."""
    return "integer" if type is BOOL else type.name if type is LONG_DOUBLE else type.kind


def number(digits: str | None) -> int:
    """A width or precision that is not a star; -1 if it is missing. Numbers beyond an `int` need not be exact."""
    return -1 if digits is None else int(digits.lstrip("0")[:10] or 0)


@lru_cache
def print_effects(format: str) -> tuple[PrintEffect, ...]:
    """The print effects of a format, in order. The format ends at its first zero byte."""
    return tuple(_print_effects(c_string(format)))


def _print_effects(format: str) -> Iterator[PrintEffect]:
    text, end = "", 0
    for match in _DIRECTIVE.finditer(format):
        text += format[end : match.start()]
        end = match.end()
        if match[0] == "%%":
            text += "%"
            continue
        if text:
            yield PrintText(text)
        text = ""
        type = None if _ONLY_LIBRARY.search(match[0]) else _promoted_type(match["conversion"], match["length"])
        yield PrintValue(match[0], **match.groupdict(), type=type)
    if text := text + format[end:]:
        yield PrintText(text)


_ONLY_LIBRARY = re.compile(r"['$I]")
"""The flags and positions that no print effect has."""

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
            yield _shown(each)


def _shown(value: PrintValue) -> str:
    return value.directive.encode("latin-1").decode("utf-8", "backslashreplace")


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
    size = 64 if length in ("L", "q", "Z") else _SIZES[length]
    is_wide = length in ("l", "ll")
    match conversion:
        case "n":
            return Slot(shown, PTR, _INTEGERS[True, size])
        case "S" | "s" if is_wide or conversion == "S":
            return Slot(shown, PTR, INT)
        case "C" | "c" if is_wide or conversion == "C":
            return Slot(shown, UNSIGNED)
        case "d" | "i" | "o" | "u" | "x" | "X" | "b" | "B":
            return Slot(shown, _INTEGERS[conversion in "di", max(size, INT.bits)])
    type = _OTHERS.get(conversion)
    return Slot(shown, LONG_DOUBLE if type is DOUBLE and length == "L" else type) if type else None


def without_long_long(format: str) -> str:
    """The format with ``%ld`` for ``%lld``: a `long` has the same size, and no type of a program is `long long`."""
    return _DIRECTIVE.sub(lambda found: found[0].replace("ll", "l"), format)


def misfits(format: str, types: Sequence[Type]) -> Iterator[str]:
    """A message for each defect of a format with arguments of these types, of which surplus ones are allowed."""
    for effect in print_effects(format):
        if isinstance(effect, PrintValue) and effect.type is None:
            yield f"`{_shown(effect)}` in a printf format is not a conversion that is supported"
            return
    taken = slots(format)
    for slot, type in zip_longest(taken, types[: len(taken)]):
        if type is None:
            yield f"`{slot.shown}` in a printf format has no argument"
        elif not accepts(slot.type, type):
            wanted = "`string` or `ptr`" if slot.type is STRING else f"`{slot.type}`"
            yield f"`{slot.shown}` in a printf format takes {wanted}, not `{type}`"
