"""The CPS text in tokens, each known for what it is: for whoever sets it in type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, cast

from cpsconv.ir import SCALARS
from cpsconv.text.words import RESERVED

Kind = Literal["keyword", "type", "literal", "number", "name", "word", "symbol", "space"]
"""A ``keyword`` is `let` or `in`; a ``word`` is any other that is taken: `branch`, `true`, `printf`, `halt`."""

_TOKEN = re.compile(
    r"""(?P<quoted>`[^`]+`)
    | (?P<literal>"(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*')
    | (?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\w*)
    | (?P<word>[^\W\dλ]\w*)
    | (?P<symbol>:=|<<|>>|<=|>=|==|!=|\S)
    | (?P<space>\ +)
    """,
    re.VERBOSE,
)
_TYPES = frozenset(word for name in SCALARS for word in name.split())


def tokens(line: str) -> Iterator[tuple[Kind, str]]:
    """The tokens of a line without comments. Together they are the line."""
    for match in _TOKEN.finditer(line):
        yield _kind(match), match[0]


def _kind(match: re.Match[str]) -> Kind:
    kind, text = match.lastgroup, match[0]
    if kind == "quoted":
        return "name"
    if kind != "word":
        return cast(Kind, kind)
    if text in ("let", "in"):
        return "keyword"
    if text in _TYPES:
        return "type"
    return "word" if text in RESERVED else "name"
