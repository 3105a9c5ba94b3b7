"""Preprocessing tokens (C17 6.4), and the files that they are read from.

The text of a file is spliced before it is divided into tokens. A token is a string; white space before it is a token
of its own, one space. An empty token is a placemarker (C17 6.10.3.3), and a token that ends with `PAINT` is the name
of a macro that is never expanded (C17 6.10.3.4).

Most tokens are plain strings. Where a diagnostic needs its origin, a token is a `Token`, a string with a *place*: the
number of its file in the upper bits, and the offset in the spliced text of the file in the lower bits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from cpsconv.frontends.c.syntax.tokens import SplicedText
from cpsconv.source import Source, Span

_OFFSET_BITS = 40
_OFFSET = (1 << _OFFSET_BITS) - 1

PAINT = "\ud800"
"""A character that no source contains."""


@dataclass(eq=False, slots=True)
class Expansion:
    """The replacement of a macro's name at a place, itself within the `outer` expansion, if any."""

    name: str
    place: int
    outer: Expansion | None


class Token(str):
    """A token with its place, and the expansion whose macro has it in its body; None for a token between macros."""

    __slots__ = ("by", "place")
    place: int
    by: Expansion | None

    def __new__(cls, text: str, place: int, by: Expansion | None = None) -> Token:
        """Create a token."""
        token = str.__new__(cls, text)
        token.place, token.by = place, by
        return token

    def __reduce__(self) -> tuple[type[Token], tuple[str, int, Expansion | None]]:
        return Token, (str(self), self.place, self.by)


def like(text: str, token: str, by: Expansion | None = None) -> str:
    """Another text at the place of a token, of its expansion or else of `by`."""
    return Token(text, token.place, token.by or by) if isinstance(token, Token) else text


class File:
    """One inclusion of a file: its spliced text, and the offset up to which the text is processed.

    `included_at` is the place of the ``#include`` and `path` the path for searching further files; `folder` is the
    index of the folder in which the file was found, for ``#include_next``.
    """

    def __init__(self, number: int, source: Source, spliced: SplicedText, included_at: int | None, folder: int) -> None:
        self.base = number << _OFFSET_BITS
        self.source = source
        self.text = spliced.text
        self.position = 0
        self.included_at = included_at
        self.folder = folder
        self.conditions = 0  # number of open conditionals at the start of the file
        self._spliced = spliced

    def span(self, start: int, end: int) -> Span:
        """The span in the file as written for a range of the spliced text, which is not empty."""
        return Span(self.source, *self._spliced.original(start, max(end, start + 1)))

    def line(self, offset: int) -> int:
        """The number of the line at an offset of the spliced text, or the number that ``#line`` gives to it."""
        return self.source.origin(self._spliced.original(offset, offset + 1)[0])[1]


class Files:
    """All files of a run, by number."""

    def __init__(self) -> None:
        self._files: list[File] = []

    def add(self, source: Source, spliced: SplicedText, included_at: int | None, folder: int) -> File:
        """Another inclusion of a file."""
        self._files.append(File(len(self._files), source, spliced, included_at, folder))
        return self._files[-1]

    def at(self, place: int) -> tuple[File, int]:
        """The file of a place, and the offset in its spliced text."""
        return self._files[place >> _OFFSET_BITS], place & _OFFSET

    def span(self, place: int, length: int) -> Span:
        """The span of a token of `length` characters in its file as written."""
        file, offset = self.at(place)
        return file.span(offset, offset + length)

    def inclusions(self, place: int) -> Iterator[Span]:
        """The ``#include`` of the file of a place, the one of the file that contains it, and so on."""
        at = self.at(place)[0].included_at
        while at is not None:
            file, offset = self.at(at)
            yield file.span(offset, END_OF_DIRECTIVE.match(file.text, offset).end())  # type: ignore[union-attr]
            at = file.included_at


# --------------------------------------------------------------------------------------------- regular expressions

_STRING = r'(?:u8|[uUL])?(?:"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\')'
_CLOSED_COMMENT = r"/\*[^*]*\*+(?:[^*/][^*]*\*+)*/"
_COMMENT = rf"//[^\n]*|{_CLOSED_COMMENT}|/\*[\s\S]*"  # one without an end extends to the end of the text
_NUMBER = r"\.?[0-9](?:[eEpP][+-]|[\w.])*"
_NAME = r"(?:[^\W\d]|\$)[\w$]*"
_FREQUENT_NAME = r"[a-tv-zA-KM-TV-Z_][\w$]*"  # one that is no prefix of strings
_FREQUENT = rf"{_FREQUENT_NAME}|[](){{}}?,;~[]"
_LONG_PUNCTUATORS = r"%:%:|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&^|]=|\#\#|<:|:>|<%|%>|%:"

TOKEN = re.compile(
    rf"( *(?:[ \t\n\r\f\v]|{_COMMENT})*)({_FREQUENT}|{_NUMBER}|{_STRING}|{_NAME}|{_LONG_PUNCTUATORS}|.|\Z)", re.DOTALL
)
"""White space, which may be empty, and a token, which is empty at the end of the text."""

NAME, COMMENT = re.compile(_NAME), re.compile(_COMMENT)
_OPAQUE = re.compile(rf"{_STRING}|{_COMMENT}")

_INDENTATION = rf"(?:[ \t\r\f\v]|{_CLOSED_COMMENT})*"
_HASH = rf"{_INDENTATION}(?:\#|%:(?!%))"

TEXT = re.compile(
    rf"""(?:[^\w$"'/\#%\n]+|{_NUMBER}|\n(?!{_HASH})){{0,99}}"""
    rf"(?:(?P<name>{_FREQUENT_NAME})|(?:\n|\A)(?P<directive>{_HASH})|{_STRING}|(?P<other>{_NAME})|{_NUMBER}"
    rf"|{_COMMENT}|[\s\S]|\Z)"
)
"""The next part of a text that may matter: a directive up to its ``#``, or a name. Comments and literals matter not."""

DIRECTIVE = re.compile(rf"(?P<directive>^{_HASH})|{_STRING}|{_COMMENT}", re.MULTILINE)
"""The next directive."""

END_OF_DIRECTIVE = re.compile(rf"""(?:[^\n/"']+|{_STRING}|{_COMMENT}|[/"'])*""")
"""The rest of a directive's line."""

OPENING = re.compile(rf"(?:\s|//[^\n]*(?:\n|\Z)|{_CLOSED_COMMENT})*\(")
"""A parenthesis, after white space."""


START_OF_DIRECTIVE = re.compile(rf"\n{_HASH}")
"""A line's end, and the start of a directive on the next line up to its ``#``."""

PART_OF_CALL = re.compile(rf"""(?:[^"'/\n)]+|{_STRING}|{_COMMENT}|\n(?!{_HASH})|["'/])*(\))?""")
"""Text up to a closing parenthesis, up to a directive, or up to the end."""


def lexed(text: str, start: int, end: int) -> list[str]:
    """The tokens of a range of a text, as plain strings, without white space at the end."""
    pairs = TOKEN.findall(text, start, end)
    return [each for space, token in pairs if token for each in ((" ", token) if space else (token,))]


def placed(text: str, start: int, end: int, base: int) -> list[str]:
    """The tokens of a range of a text, as `Token`s. `base` is the place of the text's first character."""
    tokens: list[str] = []
    for match in TOKEN.finditer(text, start, end):
        if match[2]:
            if match[1]:
                tokens.append(Token(" ", base + match.start()))
            tokens.append(Token(match[2], base + match.start(2)))
    return tokens


def trimmed(tokens: list[str]) -> list[str]:
    """The tokens without white space at the start and at the end."""
    if not tokens or " " not in (tokens[0], tokens[-1]):
        return tokens
    start, end = 0, len(tokens)
    while start < end and tokens[start] == " ":
        start += 1
    while start < end and tokens[end - 1] == " ":
        end -= 1
    return tokens[start:end]


def open_comment(text: str) -> int | None:
    """The offset of a comment without an end, if there is one."""
    last = text.rfind("/*")
    if last < 0 or text.rfind("*/") >= last + 2:
        return None
    for match in _OPAQUE.finditer(text):
        if match[0].startswith("/*") and (len(match[0]) < 4 or not match[0].endswith("*/")):
            return match.start()
    return None


_WORD, _OPERATOR = 1, 2
_CLASSES = dict.fromkeys("+-*/%&|^<>=!#:.", _OPERATOR)


@lru_cache(maxsize=4096)
def must_separate(before: str, after: str) -> bool:
    """Whether a space is needed between characters that end and begin tokens, so that the tokens stay apart."""
    if before.isspace() or after.isspace():
        return False
    if before in "eEpP" and after in "+-":
        return True  # within a number, as 1e+1
    first = _CLASSES.get(before, _WORD if before.isalnum() or before in "_\"'\\" else 0)
    second = _CLASSES.get(after, _WORD if after.isalnum() or after in "_\"'\\" else 0)
    return first != 0 and (first == second or ({before, after} & {"."} != set() and second != 0))
