"""The values of C's literals: what a number, a character constant or a string stands for.

Sources: C17, 6.4.4 (constants) and 6.4.5 (string literals); binary integers and ``\\e`` are as in gcc.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from cpsconv.ir import DOUBLE, FLOAT, INT, LONG, UNSIGNED, UNSIGNED_LONG, Scalar
from cpsconv.operations.types import wrap


class LiteralError(Exception):
    """A literal is malformed; `start` and `end` bound the part of its text that is at fault. `help` is a known cure."""

    def __init__(self, message: str, start: int, end: int, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end
        self.help = help


# -------------------------------------------------------------------------------------------------------- numbers

_INTEGER = re.compile(
    r"(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[bB](?P<binary>[01]+)|(?P<octal>0[0-7]*)|(?P<decimal>[1-9][0-9]*))"
    r"(?P<suffix>(?P<u>[uU])?(?:l|L|ll|LL)?(?(u)|[uU]?))"
)

_FLOAT = re.compile(r"[0-9a-fA-FxX]*[.eEpP]")  # how a number begins that may be one

_BASES = {"hex": 16, "binary": 2, "octal": 8, "decimal": 10}
_MOST_DIGITS = 20  # of a decimal number below 2 ** 64


@lru_cache(1000)  # the same few occur again and again
def parse_number(text: str) -> tuple[Scalar, int | float]:
    """The type and value of a numeric literal. Raises `LiteralError`."""
    if found := _INTEGER.fullmatch(text):
        return _integer(text, found)
    if _FLOAT.match(text):
        from cpsconv.frontends.c.syntax.literals import parse_float  # only now: most programs have none

        if found_float := parse_float(text):
            return found_float
    octal = re.fullmatch("0[0-9]+", text)
    raise malformed(text, f"`{text}` is not {'an octal' if octal else 'a'} number")


def malformed(text: str, message: str, help: str | None = None) -> LiteralError:
    """The error for a literal that is at fault as a whole."""
    return LiteralError(message, 0, len(text), help)


def _integer(text: str, found: re.Match[str]) -> tuple[Scalar, int]:
    """The first type that holds the value, of those that the suffix allows (C17 6.4.4.1, paragraph 5)."""
    [(form, digits)] = [(form, found[form]) for form in _BASES if found[form]]
    suffix = found["suffix"].lower()
    if form == "decimal" and len(digits) > _MOST_DIGITS:
        raise malformed(text, "the number is too large for every integer type")
    value = int(digits, _BASES[form])
    for type in (INT, UNSIGNED, LONG, UNSIGNED_LONG):
        allowed = not type.signed if "u" in suffix else type.signed or form != "decimal"
        if allowed and (type.bits == 64 or "l" not in suffix) and wrap(type, value) == value:
            return type, value
    if value < 1 << 64:
        raise malformed(text, "the number is too large for `long`", "the suffix `u` makes it an `unsigned long`")
    raise malformed(text, "the number is too large for every integer type")


# ------------------------------------------------------------------------------------------- characters and strings

_SIMPLE_ESCAPES = dict(zip("abefnrtv'\"?\\", "\a\b\x1b\f\n\r\t\v'\"?\\", strict=True))
_PART = re.compile(
    r"(?P<plain>[^\\]+)|\\(?:(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9a-fA-F]+)"
    r"|(?:u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8}))|(?P<simple>.))",
    re.DOTALL,
)


@lru_cache(1000)
def parse_character(text: str) -> int:
    """The value of a character constant, an `int` that a `char` can hold. Raises `LiteralError`."""
    held = parse_string(text)
    if not held:
        raise malformed(text, "the character constant is empty")
    if len(held) > 1:
        raise malformed(text, "character constants of several bytes are not supported yet")
    value = ord(held)
    return value - 256 if value > 127 else value


def parse_string(text: str) -> str:
    """One character for each byte between the quotes of `text`. Raises `LiteralError`."""
    if text[0] not in "'\"":
        raise LiteralError("wide characters and strings are not supported yet", 0, len(text))
    return "".join(_bytes(part) for part in _PART.finditer(text, 1, len(text) - 1))


def _bytes(part: re.Match[str]) -> str:
    """What a stretch of plain text, or one escape sequence, stands for."""
    kind, found = str(part.lastgroup), part[str(part.lastgroup)]
    if kind == "plain":
        return _utf8(found)
    if kind == "simple":
        if found not in _SIMPLE_ESCAPES:
            raise LiteralError(f"there is no escape sequence `\\{found}`", *part.span())
        return _SIMPLE_ESCAPES[found]
    code = int(found, 8 if kind == "octal" else 16)
    if kind in ("octal", "hex"):
        if code > 255:
            raise LiteralError(f"the escape sequence `{part[0]}` does not fit into a `char`", *part.span())
        return chr(code)
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        raise LiteralError(f"`{part[0]}` is no character", *part.span())
    return _utf8(chr(code))


def _utf8(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "surrogatepass").decode("latin-1")


_DECIMAL = re.compile(r"((?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)([fFlL]?)")
_HEXADECIMAL = re.compile(r"(0[xX](?:([0-9a-fA-F]+)\.?([0-9a-fA-F]*)|\.([0-9a-fA-F]+))[pP]([+-]?[0-9]+))([fFlL]?)")


def parse_float(text: str) -> tuple[Scalar, float] | None:
    """The type and value of a literal; None if it is none of a floating point number. Raises `LiteralError`."""
    if found := _DECIMAL.fullmatch(text):
        return _decimal(text, found)
    if found := _HEXADECIMAL.fullmatch(text):
        return _hexadecimal(text, found)
    return None


def _decimal(text: str, found: re.Match[str]) -> tuple[Scalar, float]:
    digits, suffix = found.groups()
    value = float(digits)
    if math.isinf(value):
        raise malformed(text, "the number is too large for `double`")
    return _float(text, suffix, value, lambda: Fraction(Decimal(digits)))


def _hexadecimal(text: str, found: re.Match[str]) -> tuple[Scalar, float]:
    number, whole, after_point, only_after_point, exponent, suffix = found.groups()
    try:
        value = float.fromhex(number)
    except OverflowError:
        raise malformed(text, "the number is too large for `double`") from None
    fraction = only_after_point or after_point
    mantissa = int((whole or "") + fraction, 16)
    return _float(text, suffix, value, lambda: mantissa * Fraction(2) ** (int(exponent) - 4 * len(fraction)))


def _float(text: str, suffix: str, value: float, exact: Callable[[], Fraction]) -> tuple[Scalar, float]:
    """`value` is the double nearest to what the literal says, which is `exact()`."""
    if suffix in ("l", "L"):
        raise malformed(text, "`long double` is not supported yet")
    if not suffix:
        return DOUBLE, value
    if value:
        value = _rounded_to_odd(value, exact())
    try:
        return FLOAT, struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        raise malformed(text, "the number is too large for `float`") from None


def _rounded_to_odd(nearest: float, exact: Fraction) -> float:
    """The double next to `exact` whose last bit is set, if `exact` is no double itself.

    Rounding that again, to `float`, gives what rounding `exact` at once would give (Boldo and Melquiond 2008).
    """
    if Fraction(nearest) == exact or math.frexp(nearest)[0] * 2**53 % 2:
        return nearest
    return math.nextafter(nearest, math.inf if exact > nearest else 0.0)
