"""String literals, which differ in little but how they spell a character by its number."""

from __future__ import annotations

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def quoted(text: str, numbered: str) -> str:
    """The text in quotes. `numbered` is the format of a character that is given by its number."""
    return '"' + "".join(_ESCAPES.get(each) or _plain_or_numbered(each, numbered) for each in text) + '"'


def _plain_or_numbered(character: str, numbered: str) -> str:
    return character if " " <= character <= "~" else numbered.format(ord(character))
