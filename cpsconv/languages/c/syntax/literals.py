"""The values of C's literals (C17 6.4.4 and 6.4.5). Binary integers and ``\\e`` are as in gcc."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cpsconv.core.floating import LongDouble, Real, exact_number
from cpsconv.languages.c.complex_types import COMPLEX_TYPES
from cpsconv.languages.c.types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    LONG_DOUBLE,
    LONG_LONG,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    CType,
    wrapped,
)

if TYPE_CHECKING:
    from fractions import Fraction


def is_name(text: str) -> bool:
    """Whether the text is a name. Letters are classified by Unicode, as in C23; ``$`` is one in GNU C."""
    return text.replace("$", "_").isidentifier()


class LiteralError(Exception):
    """A malformed literal. `start` and `end` delimit the erroneous part of its text; `help` is the cure, if known.

    A number that gcc accepts has a `value`.
    """

    def __init__(self, message: str, start: int, end: int, help: str | None = None, rule: str = "literal") -> None:
        super().__init__(message)
        self.message, self.start, self.end, self.help, self.rule = message, start, end, help, rule
        self.value: tuple[CType, Real] | None = None


def _malformed(text: str, message: str, help: str | None = None) -> LiteralError:
    """The error for the whole literal `text`."""
    return LiteralError(message, 0, len(text), help)


def _too_large(text: str, type: CType, value: Real, help: str | None = None) -> LiteralError:
    """The error for a number that is too large for a type, with the type and value that gcc gives it."""
    too_large = _malformed(text, f"the number is too large for `{LONG if type is UNSIGNED_LONG else type}`", help)
    too_large.value = type, value
    return too_large


# ------------------------------------------------------------------------------------------------------- integers

# Regular expressions are compiled at the first use: many programs have only small decimal numbers, and no strings.
_INTEGER = (
    r"(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[bB](?P<binary>[01]+)|(?P<octal>0[0-7]*)|(?P<decimal>[1-9][0-9]*))"
    r"(?P<suffix>(?P<u>[uU])?(?:l|L|ll|LL)?(?(u)|[uU]?))"
)

_BASES = {"hex": 16, "binary": 2, "octal": 8, "decimal": 10}
_MAX_DIGITS = 20  # digits of a decimal number below 2 ** 64


@lru_cache(1000)  # programs repeat few numbers
def parse_number(text: str) -> tuple[CType, Real]:
    """The type and value of a numeric literal. Raises `LiteralError`.

    That of an imaginary one of GNU C, as ``1.0i`` or ``2if``, is the complex type, and the value without the suffix.
    """
    if text.isdecimal() and (text[0] != "0" or text == "0"):
        return _integer(text, "decimal", text, "")
    if found := re.fullmatch(_INTEGER, text):
        [(form, digits)] = [(form, found[form]) for form in _BASES if found[form]]
        return _integer(text, form, digits, found["suffix"].lower())
    if found := re.fullmatch(_FLOATING, text):
        return _floating(text, *found.groups())
    if imaginary := re.fullmatch("(.*?)[iIjJ]([fFlLuU]*)", text):
        part, value = parse_number(imaginary[1] + imaginary[2])
        return COMPLEX_TYPES[part], value
    octal = re.fullmatch("0[0-9]+", text)
    raise _malformed(text, f"`{text}` is not {'an octal' if octal else 'a'} number")


def _integer(text: str, form: str, digits: str, suffix: str) -> tuple[CType, int]:
    """The value with the first type that holds it, among those that the suffix allows (C17 6.4.4.1, paragraph 5)."""
    if form == "decimal" and len(digits) > _MAX_DIGITS:
        raise _malformed(text, "the number is too large for every integer type")
    value = int(digits, _BASES[form])
    longest = (LONG_LONG, UNSIGNED_LONG_LONG) if "ll" in suffix else (LONG, UNSIGNED_LONG)
    for type in (INT, UNSIGNED, *longest):
        allowed = not type.program.signed if "u" in suffix else type.program.signed or form != "decimal"
        if allowed and (type.size == 8 or "l" not in suffix) and wrapped(type, value) == value:
            return type, value
    if value < 1 << 64:
        raise _too_large(text, UNSIGNED_LONG, value, "append `u` to make it an `unsigned long`")
    raise _malformed(text, "the number is too large for every integer type")


# ------------------------------------------------------------------------------------------------ floating numbers

_FLOATING = (
    r"((?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+"
    r"|0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+)([fFlL]?)"
)


def _floating(text: str, number: str, suffix: str) -> tuple[CType, Real]:
    """The type and value for a decimal or hexadecimal number and its suffix."""
    if suffix in ("l", "L"):
        extended = LongDouble.of(exact_number(number))
        if not extended.is_finite:
            raise _too_large(text, LONG_DOUBLE, extended)
        return LONG_DOUBLE, extended
    try:
        value = float.fromhex(number) if number[:2] in ("0x", "0X") else float(number)
    except OverflowError:
        value = math.inf
    if math.isinf(value):
        raise _too_large(text, FLOAT if suffix else DOUBLE, value)
    if not suffix:
        return DOUBLE, value
    if value:
        value = rounded_to_odd(value, exact_number(number))
    try:
        return FLOAT, struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        raise _too_large(text, FLOAT, math.inf) from None


def rounded_to_odd(nearest: float, exact: Fraction) -> float:
    """`exact` if it is a double, else the adjacent double with an odd last bit.

    Rounding this double to `float` gives the same result as rounding `exact` directly (Boldo and Melquiond 2008).
    """
    if nearest == exact or math.frexp(nearest)[0] * 2**53 % 2:
        return nearest
    return math.nextafter(nearest, math.inf if exact > nearest else 0.0)


# ------------------------------------------------------------------------------------------- characters and strings

_SIMPLE_ESCAPES = dict(zip("abefnrtv'\"?\\", "\a\b\x1b\f\n\r\t\v'\"?\\", strict=True))
_PART = (
    r"(?s)(?P<plain>[^\\]+)|\\(?:(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9a-fA-F]+)"
    r"|(?:u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8}))|(?P<simple>.))"
)


_WIDE_TYPES = {"L": INT, "u": UNSIGNED_SHORT, "U": UNSIGNED}
"""The types of character constants with a prefix: `wchar_t`, `char16_t` and `char32_t`."""


class Character(NamedTuple):
    """A character constant. `length` is the number of characters, or without a prefix of bytes, of the constant."""

    type: CType
    value: int
    length: int


@lru_cache(1000)
def parse_character(text: str) -> Character:
    """The type and value of a character constant. Raises `LiteralError`.

    As in gcc, several bytes are the digits of a number in base 256, of which the last four count. Of several wide
    characters, the last one counts.
    """
    prefix, _, _ = text.partition("'")
    type = UNSIGNED_CHAR if prefix == "u8" else _WIDE_TYPES.get(prefix, INT)
    bits = 8 * type.size if prefix else 8
    codes = [
        code for part in re.compile(_PART).finditer(text, len(prefix) + 1, len(text) - 1) for code in _codes(part, bits)
    ]
    if not codes:
        raise _malformed(text, "the character constant is empty")
    if prefix == "u8" and len(codes) > 1:
        raise _malformed(text, "a character constant with the prefix `u8` has one byte")
    if prefix:
        value = codes[-1]
    else:
        value = codes[0] - (codes[0] >> 7 << 8) if len(codes) == 1 else int.from_bytes(codes, "big")
    return Character(type, wrapped(type, value), len(codes))


def string_element(prefix: str) -> CType:
    """The type of the elements of a string with that prefix, ``u8`` or none for characters of one byte."""
    return _WIDE_TYPES.get(prefix, CHAR)


def parse_string(text: str, prefix: str = "") -> str:
    """The bytes of a string literal, one character for each byte. Raises `LiteralError`.

    `prefix` is that of the adjacent literals together: it applies to a literal without a prefix, too (C17 6.4.5).
    """
    own = text.partition('"')[0]
    if own not in ("", prefix):
        raise _malformed(text, f"strings with the prefixes `{prefix}` and `{own}` cannot be adjacent")
    size = string_element(prefix).size
    parts = re.compile(_PART).finditer(text, len(own) + 1, len(text) - 1)
    codes = [code for part in parts for code in _codes(part, 8 * size)]
    if size == 1:
        return "".join(map(chr, codes))
    if size == 2:  # characters beyond U+FFFF are pairs of surrogates in UTF-16
        codes = [unit for code in codes for unit in _utf16(code)]
    return b"".join(code.to_bytes(size, "little") for code in codes).decode("latin-1")


def _utf16(code: int) -> tuple[int, ...]:
    return (code,) if code < 1 << 16 else (0xD800 + (code - (1 << 16) >> 10), 0xDC00 + (code & 0x3FF))


def _codes(part: re.Match[str], bits: int) -> Iterable[int]:
    """The codes for plain text or one escape sequence, in units of that many bits: bytes of UTF-8, or characters."""
    kind, found = str(part.lastgroup), part[str(part.lastgroup)]
    if kind == "plain":
        return _encoded(found, bits)
    if kind == "simple":
        return (ord(_SIMPLE_ESCAPES[found]),) if found in _SIMPLE_ESCAPES else _encoded(found, bits)
    code = int(found, 8 if kind == "octal" else 16)
    if kind in ("octal", "hex"):
        if code >> bits:
            kind = "`char`" if bits == 8 else "wide character"
            raise LiteralError(f"the escape sequence `{part[0]}` does not fit into a {kind}", *part.span())
        return (code,)
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        raise LiteralError(f"`{part[0]}` is not a character", *part.span())
    return _encoded(chr(code), bits)


def unknown_escapes(text: str) -> Iterator[tuple[int, int]]:
    """The positions of escape sequences without a meaning in a literal. As in gcc, they stand for their characters."""
    for part in re.finditer(_PART, text) if "\\" in text else ():
        if part["simple"] and part["simple"] not in _SIMPLE_ESCAPES:
            yield part.span()


def _encoded(text: str, bits: int) -> Iterable[int]:
    return text.encode("utf-8", "surrogateescape") if bits == 8 else map(ord, text)
