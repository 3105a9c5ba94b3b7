"""The words of the CPS text: which are taken, what a name looks like, how tightly operators bind."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable
from functools import lru_cache

from cpsconv.ir import (
    BOOL,
    CHAR,
    DOUBLE,
    EXTERNALS,
    FLOAT,
    INT,
    LONG,
    SCALARS,
    SHORT,
    SIGNED_CHAR,
    STRING,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    Constant,
)
from cpsconv.operations.table import OPERATIONS
from cpsconv.operations.types import wrap
from cpsconv.source import did_you_mean

KEYWORDS = frozenset({"let", "in", "branch", "switch", "undef", "true", "false", "inf", "nan", "inff", "nanf", "_"})
"""Words that the grammar knows, the words of types apart."""

CALLABLE = frozenset(name for name, row in OPERATIONS.items() if row.form == "call")
"""The operations that are written like a call."""

RESERVED = frozenset({*KEYWORDS, *(word for name in SCALARS for word in name.split()), *EXTERNALS, *CALLABLE})
"""Words that stand between back quotes where they are names, so that each means one thing in all of a text."""

_PLAIN = re.compile(r"[^\W\dλ]\w*")


def needs_no_parentheses(outer: str, inner: str, side: int) -> bool:
    """Whether everybody reads `inner` as an operand of `outer`, on that side, without parentheses.

    That is so in sums of products, in comparisons of these, and where an operator is repeated.
    """
    out, within = OPERATIONS[outer], OPERATIONS[inner]
    if within.kind not in _SUMS:
        return outer == inner and side == 0 and out.kind != "comparison"
    return out.kind == "comparison" or (out.kind in _SUMS and within.precedence >= out.precedence + side)


_SUMS = ("arithmetic", "division")


@lru_cache(10_000)  # most names occur in many functions
def sanitized_name(hint: str) -> str:
    """`hint` made a name that can be `spelled`."""
    return re.sub(r"[`\n]", "_", hint) or "v"


@lru_cache(10_000)
def quote_name(name: str) -> str:
    """`name` as the text shows it: between back quotes if that could be taken for something else."""
    return name if _PLAIN.fullmatch(name) and name not in RESERVED else f"`{name}`"


def in_ascii(text: str) -> str:
    """A type, or what has types in it, as ``--ascii`` spells it."""
    return text.replace("→", "->").replace("⊥", "_|_")


def unquote_name(word: str) -> str:
    """The name that `word` of the text stands for."""
    return word.strip("`")


def suggestion(name: str, known: Iterable[str]) -> str | None:
    """The cure for a name that means nothing, if one of those `known` may have been meant."""
    return "`halt` ends the program" if name == "exit" else did_you_mean(name, known)


SUFFIXES = {
    "": INT,
    "u": UNSIGNED,
    "l": LONG,
    "ul": UNSIGNED_LONG,
    "s": SHORT,
    "us": UNSIGNED_SHORT,
    "sc": SIGNED_CHAR,
    "uc": UNSIGNED_CHAR,
    "f": FLOAT,
}
"""What a number ends with, by its type: `5ul`, `1.5f`. With a point or an exponent and no suffix it is a double."""

_SUFFIX_OF = {type: suffix for suffix, type in SUFFIXES.items()}
_ESCAPES = {"\n": "n", "\t": "t", "\r": "r", "\a": "a", "\b": "b", "\f": "f", "\v": "v", "\\": "\\"}
_ESCAPED = {letter: char for char, letter in _ESCAPES.items()} | {'"': '"', "'": "'"}
_MOST_DIGITS = 100
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|(.))", re.DOTALL)
_NUMBER = re.compile(r"([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|inf|nan)(\w*)")


def literal_text(constant: Constant) -> str:
    """The literal of a constant. A negative number starts with `-`."""
    value = constant.value
    if constant.type is BOOL:
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + "".join(_escaped(char, '"') for char in value) + '"'
    if isinstance(value, float):
        return _shown_float(value, single=constant.type is FLOAT)
    if constant.type is CHAR:
        return "'" + _escaped(chr(value & 0xFF), "'") + "'"
    return f"{value}{_SUFFIX_OF[constant.type]}"


def read_number(text: str, negative: bool = False) -> Constant:
    """The constant of a number, `negative` if a `-` stands before it.

    Raises `ValueError`, saying why, if its suffix is unknown or its type has no such value.
    """
    match = _NUMBER.fullmatch(text)
    if not match:
        raise ValueError(f"`{text}` is not a number")
    digits, suffix = match.groups()
    if digits == "0" and suffix[:1] in ("x", "X", "b", "B"):
        raise ValueError(f"`{text}` is not a decimal number")
    if suffix not in SUFFIXES:
        raise ValueError(f"`{suffix}` is not a suffix of numbers")
    type = SUFFIXES[suffix]
    if type is FLOAT or not digits.isdigit():
        return _read_float(digits, suffix, negative)
    if len(digits) > _MOST_DIGITS:
        raise ValueError("the number is too long")
    value = -int(digits) if negative else int(digits)
    if value != wrap(type, value):
        raise ValueError(f"{value} is not a value of type {type}")
    return Constant(type, value)


def read_quoted(text: str) -> Constant:
    """The constant of a string or character with its quotes.

    Characters outside ASCII stand for the bytes of their UTF-8 encoding. Raises `ValueError`, saying why, if there is
    an unknown escape, or a character literal is not one byte.
    """
    encoded = text[1:-1].encode("utf-8").decode("latin-1")
    value = _ESCAPE.sub(_unescaped, encoded)
    if text[0] == '"':
        return Constant(STRING, value)
    if len(value) != 1:
        raise ValueError("a character literal must hold one byte")
    return Constant(CHAR, wrap(CHAR, ord(value)))


def round_to_float(value: float) -> float:
    """The nearest value of type `float`, which may be infinite."""
    try:
        rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


def _read_float(digits: str, suffix: str, negative: bool) -> Constant:
    if suffix not in ("", "f"):
        raise ValueError(f"`{suffix}` is not a suffix of floating numbers")
    value = -float(digits) if negative else float(digits)
    return Constant(FLOAT, round_to_float(value)) if suffix else Constant(DOUBLE, value)


def _shown_float(value: float, single: bool) -> str:
    """The shortest decimal that is read back as `value`."""
    sign = "-" if math.copysign(1, value) < 0 else ""
    value = abs(value)
    if single:
        candidates = (f"{value:.{digits}g}" for digits in range(1, 18))
        text = next((text for text in candidates if round_to_float(float(text)) == value), repr(value))
        return f"{sign}{text}f"
    return f"{sign}{value!r}"


def _escaped(char: str, quote: str) -> str:
    if char in _ESCAPES or char == quote:
        return "\\" + _ESCAPES.get(char, char)
    if " " <= char <= "~":
        return char
    if quote == "'":
        return "\\0" if char == "\0" else f"\\x{ord(char):02x}"
    return f"\\{ord(char):03o}"  # in C, too, exactly this byte, whatever follows


def _unescaped(match: re.Match[str]) -> str:
    hexadecimal, octal, letter = match.groups()
    if letter is None:
        return chr(int(hexadecimal, 16) if hexadecimal else int(octal, 8) & 0xFF)
    if letter not in _ESCAPED:
        raise ValueError(f"`\\{letter}` is not an escape sequence")
    return _ESCAPED[letter]
