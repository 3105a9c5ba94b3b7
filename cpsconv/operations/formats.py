"""The parser of printf formats, into typed print effects: literal texts, and conversions of one argument each.

No other module parses formats. (`cpsconv.evaluator` executes print effects, back ends write them.)
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
        return _CUT.get(self.conversion, {}).get(self.length, self.type)

    @property
    def stars(self) -> int:
        """The number of `int` arguments before the value, for width and precision."""
        return (self.width == "*") + (self.precision == "*")


PrintEffect = Union[PrintText, PrintValue]


@lru_cache
def print_effects(format: str) -> tuple[PrintEffect, ...]:
    """The print effects of a format, in order. The format ends at its first zero byte."""
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
    """An argument of a format; `shown` is its directive, or ``*`` for a width or precision."""

    shown: str
    type: Scalar


def slots(format: str) -> list[Slot]:
    """The arguments of the format, in order. Raises `ValueError` with the first directive that is not supported."""
    found: list[Slot] = []
    for effect in print_effects(format):
        if isinstance(effect, PrintValue):
            if effect.type is None:
                raise ValueError(effect.directive.encode("latin-1").decode("utf-8", "backslashreplace"))
            found += [Slot("*", INT)] * effect.stars
            found.append(Slot(effect.directive, effect.type))
    return found
