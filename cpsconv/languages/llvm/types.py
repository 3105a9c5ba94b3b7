"""LLVM's types, as texts, and the types of the program's values that correspond to them.

The types that the program has are its own: ``i32`` is `int`, ``i1`` is `bool`, ``ptr`` is `ptr`. Every other type is
foreign, and its name is its text: ``<4 x i32>`` is ``$`llvm.<4 x i32>` `` in CPS text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from cpsconv.core.ir import (
    BOOL,
    DOUBLE,
    FLOAT,
    FURTHER_FLOATS,
    LONG_DOUBLE,
    PTR,
    VOID,
    Scalar,
    foreign_type,
    integer_type,
)

PREFIX = "llvm."
"""The start of the names of LLVM's types, operations and attributes in a program."""

NAME = r'(?:[-\w$.]+|"[^"]*")'
"""The pattern of a name, after its first character, which is ``%`` or ``@``."""

_OWN = {
    "i1": BOOL,
    "ptr": PTR,
    "float": FLOAT,
    "double": DOUBLE,
    "x86_fp80": LONG_DOUBLE,
    "half": FURTHER_FLOATS["float<16>"],
    "bfloat": FURTHER_FLOATS["float<bf16>"],
    "fp128": FURTHER_FLOATS["float<128>"],
    "void": VOID,
}
_NAMES = {type: text for text, type in _OWN.items()}

_SIMPLE = re.compile(
    r'ptr(?: addrspace\((?:\d+|"[^"]*")\))?|i\d+|void|half|bfloat|float|double|fp128|x86_fp80|ppc_fp128|x86_amx|token'
    rf"|metadata|label|%{NAME}"
)
_WORD = re.compile(r"[\w.]+")
_BRACKETS = re.compile(r'[\[\]{}<>(),]|"[^"]*"')
"""The brackets and commas in a text, and the strings, whose brackets and commas are none."""

_OPENING, _CLOSING = "[{<(", "]}>)"


@cache
def scalar_of(text: str) -> Scalar:
    """The type of the program for a type of LLVM."""
    if text in _OWN:
        return _OWN[text]
    if text[0] == "i" and text[1:].isdigit() and 1 < int(text[1:]) <= 128:
        return integer_type(int(text[1:]), signed=True)
    return foreign_type(PREFIX + text)


@cache
def text_of(type: Scalar) -> str | None:
    """The type of LLVM for a type of the program; None if it corresponds to none."""
    if type.kind == "foreign":
        name = type.name[1:].strip("`")
        return name[len(PREFIX) :] if name.startswith(PREFIX) else None
    return f"i{type.bits}" if type.kind == "integer" else _NAMES.get(type)


def end_of_brackets(text: str, start: int) -> int:
    """The position after the bracket that closes the one at `start`; the end of the text if there is none."""
    depth = 0
    for match in _BRACKETS.finditer(text, start):
        depth += (match[0] in _OPENING) - (match[0] in _CLOSING)
        if depth == 0:
            return match.end()
    return len(text)


def end_of_type(text: str, start: int) -> int | None:
    """The end of the type that starts at this position; None if none does."""
    if match := _SIMPLE.match(text, start):
        return match.end() if not text[match.end() : match.end() + 1].isalnum() else None
    if text[start : start + 1] in ("[", "{", "<"):
        return end_of_brackets(text, start)
    return end_of_brackets(text, start + 6) if text.startswith("target(", start) else None


def first_type(text: str, start: int = 0) -> str:
    """The first type in a text; words before it, with their parentheses and numbers, are attributes. "" if none is."""
    while start < len(text):
        end = end_of_type(text, start)
        if end is not None:
            return text[start:end]
        word = _WORD.match(text, start)
        start = word.end() if word else start + 1
        if text[start : start + 1] == "(":
            start = end_of_brackets(text, start)
    return ""


def parts_of(text: str) -> list[str]:
    """The parts of a text between its commas that are not in brackets or strings."""
    found, start, depth = list[str](), 0, 0
    for match in _BRACKETS.finditer(text):
        if match[0] == "," and depth == 0:
            found.append(text[start : match.start()].strip())
            start = match.end()
        depth += (match[0] in _OPENING) - (match[0] in _CLOSING)
    return [*found, text[start:].strip()]


def members_of(struct: str) -> list[str]:
    """The texts of the types of a struct's members."""
    return [each for each in parts_of(struct.strip("<>")[1:-1]) if each]


def element_type(aggregate: str, index: int, named: Mapping[str, str]) -> str:
    """The type of a member of a struct or an array. `named` has the definitions of the named types."""
    text = named.get(aggregate, aggregate)
    if text[0] == "[":
        return text[text.index(" x ") + 3 : -1].strip()
    return members_of(text)[index]
