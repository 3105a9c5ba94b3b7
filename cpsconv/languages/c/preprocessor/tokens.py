"""Preprocessing tokens (C17 6.4), and the files that they are read from.

The text of a file is spliced before it is divided into tokens. The *place* of a token is a number: the number of its
file in the upper bits, and the offset in the spliced text of the file in the lower bits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from cpsconv.core.source import Source, Span
from cpsconv.languages.c.syntax.tokens import SplicedText

_OFFSET_BITS = 40
_OFFSET = (1 << _OFFSET_BITS) - 1


@dataclass(eq=False, slots=True)
class Expansion:
    """The replacement of a macro's name at a place, itself within the `outer` expansion, if any."""

    name: str
    place: int
    outer: Expansion | None


@dataclass(eq=False, slots=True)
class Token:
    """A preprocessing token, which never changes. An empty `text` is a placemarker (C17 6.10.3.3).

    `space` tells whether white space precedes the token; `painted` whether it is the name of a macro that is never
    expanded here (C17 6.10.3.4).
    """

    text: str
    space: bool
    place: int
    painted: bool = False


Traced = tuple[Token, Expansion | None]
"""A token, and the expansion whose macro has it in its body; None for a token between macros.

All expansions of a macro share the tokens of its body: to create a pair takes less time than to create a token.
"""


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
_FREQUENT = r"[a-tv-zA-KM-TV-Z_][\w$]*|[](){}?,;~[]"  # names that cannot be prefixes of strings; punctuators
_LONG_PUNCTUATORS = r"%:%:|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&^|]=|\#\#|<:|:>|<%|%>|%:"

TOKEN = re.compile(
    rf"( *(?:[ \t\n\r\f\v]|{_COMMENT})*)({_FREQUENT}|{_NUMBER}|{_STRING}|{_NAME}|{_LONG_PUNCTUATORS}|.|\Z)", re.DOTALL
)
"""White space, which may be empty, and a token, which is empty at the end of the text."""

COMMENT = re.compile(_COMMENT)
_OPAQUE = re.compile(rf"{_STRING}|{_COMMENT}")

_INDENTATION = rf"^(?:[ \t\r\f\v]|{_CLOSED_COMMENT})*"
TEXT = re.compile(
    rf"(?P<directive>{_INDENTATION}(?:\#|%:(?!%)))|{_STRING}|(?P<name>{_NAME})|{_NUMBER}|{_COMMENT}", re.MULTILINE
)
"""The next part of a text that may matter: a directive up to its ``#``, or a name. Comments and literals matter not."""

DIRECTIVE = re.compile(rf"(?P<directive>{_INDENTATION}(?:\#|%:(?!%)))|{_STRING}|{_COMMENT}", re.MULTILINE)
"""The next directive."""

END_OF_DIRECTIVE = re.compile(rf"""(?:[^\n/"']+|{_STRING}|{_COMMENT}|[/"'])*""")
"""The rest of a directive's line."""

OPENING = re.compile(rf"(?:\s|//[^\n]*(?:\n|\Z)|{_CLOSED_COMMENT})*\(")
"""A parenthesis, after white space."""


def lexed(text: str, start: int, end: int, base: int) -> list[Token]:
    """The tokens of a range of a text. `base` is the place of the text's first character."""
    return [
        Token(match[2], match[1] != "", base + match.start(2)) for match in TOKEN.finditer(text, start, end) if match[2]
    ]


def open_comment(text: str) -> int | None:
    """The offset of a comment without an end, if there is one."""
    last = text.rfind("/*")
    if last < 0 or text.rfind("*/") >= last + 2:
        return None
    for match in _OPAQUE.finditer(text):
        if match[0].startswith("/*") and (len(match[0]) < 4 or not match[0].endswith("*/")):
            return match.start()
    return None


def spelling(tokens: list[Token]) -> str:
    """The text of the tokens, with a space wherever there was white space."""
    return "".join(f" {token.text}" if token.space and number else token.text for number, token in enumerate(tokens))


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
