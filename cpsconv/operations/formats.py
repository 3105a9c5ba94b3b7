"""Formats of C's printf, parsed once into typed print effects: texts, and conversions that show one argument each.

No other module parses a format. (`cpsconv.evaluator` gives the effects their meaning, back ends write them.)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, Union

from cpsconv.ir import (
    DOUBLE,
    INT,
    LONG,
    SHORT,
    SIGNED_CHAR,
    STRING,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    Scalar,
)
from cpsconv.operations.python_printf import DIRECTIVE, c_string

_SIGNED = {"": INT, "hh": INT, "h": INT, "l": LONG, "ll": LONG, "j": LONG, "z": LONG, "t": LONG}
_UNSIGNED = {length: UNSIGNED if type is INT else UNSIGNED_LONG for length, type in _SIGNED.items()}
_FLOATING = {"": DOUBLE, "l": DOUBLE}

_TYPES: dict[str, dict[str, Scalar]] = {
    **dict.fromkeys("di", _SIGNED),
    **dict.fromkeys("ouxX", _UNSIGNED),
    **dict.fromkeys("fFeEgGaA", _FLOATING),
    "c": {"": INT},
    "s": {"": STRING},
}
"""By conversion character and length modifier: the type of the argument, after the default promotions."""

_CUT_SIGNED = {**_SIGNED, "hh": SIGNED_CHAR, "h": SHORT}
_CUT_UNSIGNED = {**_UNSIGNED, "hh": UNSIGNED_CHAR, "h": UNSIGNED_SHORT}
_CUT = {**dict.fromkeys("di", _CUT_SIGNED), **dict.fromkeys("ouxX", _CUT_UNSIGNED), "c": {"": UNSIGNED_CHAR}}


class PrintText(NamedTuple):
    """Prints `text` as it is; ``%%`` has become ``%``."""

    text: str


class PrintValue(NamedTuple):
    """Prints one argument, of the promoted `type`, as the conversion character `conversion` says.

    `directive` is the whole ``%…`` as written. `width` and `precision` are digits, ``*`` for an argument of their own,
    or empty for a missing width or a precision of 0; `precision` is None where there is none. `type` is None for a
    directive that is not supported.
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
        """The type to which the argument is converted before it is printed: ``%hhd`` prints a `signed char`."""
        return _CUT.get(self.conversion, {}).get(self.length, self.type)

    @property
    def stars(self) -> int:
        """How many arguments, of type `int`, come before the value: for the width and for the precision."""
        return (self.width == "*") + (self.precision == "*")


PrintEffect = Union[PrintText, PrintValue]


@lru_cache
def print_effects(format: str) -> tuple[PrintEffect, ...]:
    """What a printf with that format does, in order. The format ends at its first zero byte."""
    return tuple(_print_effects(c_string(format)))


def _print_effects(format: str) -> Iterator[PrintEffect]:
    text, end = "", 0
    for match in DIRECTIVE.finditer(format):
        text += format[end : match.start()]
        end = match.end()
        if match[0] == "%%":
            text += "%"
            continue
        if text:
            yield PrintText(text)
        text = ""
        type = _TYPES.get(match["conversion"], {}).get(match["length"])
        yield PrintValue(match[0], **match.groupdict(), type=type)
    if text := text + format[end:]:
        yield PrintText(text)


class Slot(NamedTuple):
    """An argument that a format takes; `shown` is the directive, or ``*`` for its width or precision."""

    shown: str
    type: Scalar


def slots(format: str) -> list[Slot]:
    """The arguments that the format takes, in order.

    Raises `ValueError` with the first directive that is not supported.
    """
    found: list[Slot] = []
    for effect in print_effects(format):
        if isinstance(effect, PrintValue):
            if effect.type is None:
                raise ValueError(effect.directive.encode("latin-1").decode("utf-8", "backslashreplace"))
            found += [Slot("*", INT)] * effect.stars
            found.append(Slot(effect.directive, effect.type))
    return found
