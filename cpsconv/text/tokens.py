"""From the characters of the CPS text to its tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from cpsconv.grammar import END, Tables, tables_of

STRAY = "STRAY"
"""The type of a token that no grammar has: a character with which none begins."""


class Token:
    """A word of the text, ``start … end - 1`` of it. `type` is the terminal's name."""

    __slots__ = ("type", "text", "start", "end")

    def __init__(self, type: str, text: str, start: int, end: int) -> None:
        self.type = type
        self.text = text
        self.start = start
        self.end = end

    def __repr__(self) -> str:
        return f"<{self.type} {self.text!r}>"


def tables() -> Tables:
    """The tables of the grammar of CPS text."""
    return tables_of("cps")


def tokens(text: str, start: int = 0) -> Iterator[Token]:
    """The tokens of a text from that place on, the last of type `END`. Space and comments are left out."""
    spellings = tables().spellings
    for match in _pattern().finditer(text, start):
        kind = match.lastgroup
        if kind == "SPACE" or kind == "COMMENT":
            continue
        word = match[0]
        if kind == "NAME" or kind == "PUNCTUATOR":
            kind = spellings.get(word, "NAME")
        yield Token(str(kind), word, *match.span())
    yield Token(END, "", len(text), len(text))


@cache
def _pattern() -> re.Pattern[str]:
    """Matches whatever comes next in a text. What is spelled in but one way is a keyword, or else a punctuator."""
    punctuators = (re.escape(word) for word in tables().spellings if not re.match(r"\w", word))
    patterns = tables().patterns | {
        "PUNCTUATOR": "|".join(sorted(punctuators, key=len, reverse=True)),
        STRAY: r"[\s\S]",
    }
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns.items()))
