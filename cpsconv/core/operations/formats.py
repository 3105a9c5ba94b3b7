"""The parser of formats, into typed print effects: literal texts, and conversions of one argument each.

No other module parses formats: the evaluator executes print effects, back ends write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple, Union

from cpsconv.core.ir import BOOL, DOUBLE, INT, INTEGER, LONG_DOUBLE, PTR, SCALARS, STRING, UNSIGNED_CHAR, Scalar, Type
from cpsconv.core.operations.names import PRINT
from cpsconv.core.operations.python_formats import before_zero
from cpsconv.core.operations.types import is_computed

_DIRECTIVE = re.compile(
    r"%(?:[0-9]+\$)?(?P<flags>[-+ #0'I]*)(?P<width>\*(?:[0-9]+\$)?|[0-9]*)"
    r"(?:\.(?P<precision>\*(?:[0-9]+\$)?|[0-9]*))?(?P<length>hh|h|ll|l|j|z|t|L|q|Z|)"
    r"(?P<conversion>[\xc2-\xf4][\x80-\xbf]+|.?)",
    re.DOTALL,
)
"""A directive. (An unknown conversion may be a character of several bytes.)"""

SIZES = {"": 32, "hh": 8, "h": 16, "l": 64, "ll": 64, "j": 64, "z": 64, "t": 64}
"""The size of an integer in bits, by length modifier."""

_LENGTHS = {
    **dict.fromkeys("diouxX", SIZES),  # integers
    **dict.fromkeys("fFeEgGaA", ("", "l")),
    **dict.fromkeys("csp", ("",)),
}
"""The length modifiers of each conversion."""

MAX_SIZE = 1_000_000
"""The largest width and precision in emitted functional programs and in the page."""

INTEGERS = {(type.signed, type.bits): type for type in SCALARS.values() if type.kind == "integer"}
"""The integer types by signedness and size; the one of 8 bits with a sign is `signed char`, which follows `char`."""

OTHER_ARGUMENTS = {**dict.fromkeys("fFeEgGaA", DOUBLE), "c": INT, "s": STRING, "p": PTR}
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
    return OTHER_ARGUMENTS.get(conversion) or INTEGERS[conversion in "di", max(SIZES[length], INT.bits)]


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
        return UNSIGNED_CHAR if self.conversion == "c" else INTEGERS[self.type.signed, SIZES[self.length]]

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
    return "integer" if type is BOOL else type.name if is_computed(type) else type.kind


def number(digits: str | None) -> int:
    """A width or precision that is not a star; -1 if it is missing. Numbers beyond an `int` need not be exact."""
    return -1 if digits is None else int(digits.lstrip("0")[:10] or 0)


@lru_cache
def print_effects(format: str) -> tuple[PrintEffect, ...]:
    """The print effects of a format, in order. The format ends at its first zero byte."""
    return tuple(_print_effects(before_zero(format)))


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


def shown_directive(value: PrintValue) -> str:
    """The directive in messages."""
    return value.directive.encode("latin-1").decode("utf-8", "backslashreplace")


def misfits(format: str, types: Sequence[Type]) -> Iterator[str]:
    """A message for each defect of a format with arguments of these types, of which surplus ones are allowed."""
    taken: list[tuple[str, Scalar]] = []
    for effect in print_effects(format):
        if isinstance(effect, PrintValue):
            if effect.type is None:
                yield f"`{shown_directive(effect)}` in a {PRINT} format is not a conversion that is supported"
                return
            taken += [*[("*", INT)] * effect.stars, (effect.directive, effect.type)]
    for (shown, wanted), type in zip_longest(taken, types[: len(taken)]):
        if type is None:
            yield f"`{shown}` in a {PRINT} format has no argument"
        elif not accepts(wanted, type):
            noun = "`string` or `ptr`" if wanted is STRING else f"`{wanted}`"
            yield f"`{shown}` in a {PRINT} format takes {noun}, not `{type}`"
