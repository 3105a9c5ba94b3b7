"""The CPS text in tokens, each known for what it is: for whoever sets it in type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Literal, cast

from cpsconv.emit.characters import printable
from cpsconv.ir import SCALARS
from cpsconv.text.spelling import RESERVED

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


_STYLE = """<style>
pre.cps { font: var(--jp-code-font-size, 13px)/1.3 var(--jp-code-font-family, monospace); overflow-x: auto }
.cps .keyword { color: var(--jp-mirror-editor-keyword-color, #2c8a4a); font-weight: bold }
.cps .word { color: var(--jp-mirror-editor-keyword-color, #2c8a4a) }
.cps .type { color: var(--jp-mirror-editor-def-color, #4078c8) }
.cps .literal { color: var(--jp-mirror-editor-string-color, #c4601c) }
.cps .number { color: var(--jp-mirror-editor-number-color, #c4601c) }
</style>
"""
_COLOURED = ("keyword", "word", "type", "literal", "number")


def html(text: str) -> str:
    """CPS text as an element for HTML, with its style."""
    coloured = "\n".join(map(_line, text.rstrip("\n").split("\n")))
    return f'{_STYLE}<pre class="cps">{coloured}</pre>\n'


def _line(line: str) -> str:
    return "".join(_span(kind, text) for kind, text in tokens(line))


def _span(kind: Kind, text: str) -> str:
    text = escape(printable(text), quote=False)
    return f'<span class="{kind}">{text}</span>' if kind in _COLOURED else text
