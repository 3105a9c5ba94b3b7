"""Type specifiers: the types that lists of keywords denote (C17 6.7.2, paragraph 2)."""

from __future__ import annotations

from cpsconv.languages.c.complex_types import COMPLEX_TYPES
from cpsconv.languages.c.types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    INT128,
    LONG,
    LONG_DOUBLE,
    LONG_LONG,
    SHORT,
    SIGNED_CHAR,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_INT128,
    UNSIGNED_LONG,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    VOID,
    CType,
)

_SPELLINGS: dict[CType, str] = {
    VOID: "void",
    BOOL: "_Bool",
    CHAR: "char",
    SIGNED_CHAR: "signed char",
    UNSIGNED_CHAR: "unsigned char",
    SHORT: "short, short int, signed short, signed short int",
    UNSIGNED_SHORT: "unsigned short, unsigned short int",
    INT: "int, signed, signed int",
    UNSIGNED: "unsigned, unsigned int",
    LONG: "long, long int, signed long, signed long int",
    UNSIGNED_LONG: "unsigned long, unsigned long int",
    LONG_LONG: "long long, long long int, signed long long, signed long long int",
    UNSIGNED_LONG_LONG: "unsigned long long, unsigned long long int",
    FLOAT: "float",
    DOUBLE: "double",
    LONG_DOUBLE: "long double",
    INT128: "__int128, signed __int128",
    UNSIGNED_INT128: "unsigned __int128",
}


def _specified_types() -> dict[tuple[str, ...], CType]:
    """The types by their specifiers. Those of a complex type are those of its parts, and ``_Complex``."""
    found: dict[tuple[str, ...], CType] = {("_Complex",): COMPLEX_TYPES[DOUBLE]}
    for type, spellings in _SPELLINGS.items():
        for spelling in spellings.split(", "):
            found[tuple(sorted(spelling.split()))] = type
            if type in COMPLEX_TYPES:
                found[tuple(sorted(["_Complex", *spelling.split()]))] = COMPLEX_TYPES[type]
    return found


SPECIFIED_TYPES = _specified_types()
"""The type that a list of type specifiers denotes, by the sorted specifiers: their order is free in C."""

TYPES_BY_KEYWORD = {words[0]: type for words, type in SPECIFIED_TYPES.items() if len(words) == 1}
"""The types that a single keyword denotes."""

TYPE_SPECIFIERS = frozenset(word for words in SPECIFIED_TYPES for word in words)
"""The keywords that are type specifiers."""
