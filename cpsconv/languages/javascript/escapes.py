"""Escapes in names, strings and templates."""

from __future__ import annotations

import re

_IN_NAME = r"\\u(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{4}))"
_NAME_ESCAPE = re.compile(_IN_NAME)
_ESCAPE = re.compile(rf"{_IN_NAME}|\\(?:x([0-9A-Fa-f]{{2}})|([0-3][0-7]{{0,2}}|[4-7][0-7]?)|(\r\n|[\s\S]))")
_SINGLE = {"n": "\n", "t": "\t", "b": "\b", "v": "\v", "f": "\f", "r": "\r"}
_CONTINUATIONS = ("\n", "\r", "\r\n", "\u2028", "\u2029")
_MAX_POINT = 0x10FFFF

ESCAPED = re.compile(r"\\(?:\r\n|[\s\S])")
"""A backslash and what it always includes."""

INVALID = re.compile(r"\\(?:u(?!\{0*(?:10|[\da-fA-F])?[\da-fA-F]{1,4}\}|[\da-fA-F]{4})|x(?![\da-fA-F]{2}))")
"""The start of an escape that denotes no character."""

OCTAL = re.compile(r"\\(?:[1-9]|0\d)")
"""The start of an escape in the old style, with an octal number."""


def unescaped(text: str) -> str:
    """The text of a string with the characters that its escapes denote."""
    return _ESCAPE.sub(_character, text)


def unescaped_name(name: str) -> str:
    """A name with the characters that its escapes denote; other escapes remain."""
    return _NAME_ESCAPE.sub(_character, name)


def _character(match: re.Match[str]) -> str:
    point, four, two, octal, single = (*match.groups(), None, None, None)[:5]
    digits = point or four or two
    if digits or octal:
        number = int(digits, 16) if digits else int(octal or "", 8)
        return chr(number) if number <= _MAX_POINT else match[0]
    return "" if single in _CONTINUATIONS else _SINGLE.get(single or "", single or "")
