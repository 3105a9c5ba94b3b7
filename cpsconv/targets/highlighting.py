"""The tokens of the CPS text, classified for syntax highlighting in HTML and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Literal, cast

from cpsconv.core.text.spelling import KEYWORDS, RESERVED, is_reserved

Kind = Literal["keyword", "type", "literal", "number", "name", "word", "symbol", "space"]
"""A ``keyword`` is `let` or `in`; a ``word`` is any other reserved word: `branch`, `true`, `printf`, `halt`."""

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
_TYPES = RESERVED - KEYWORDS
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


def printable(text: str) -> str:
    """The text with ``\\x01`` for control characters and code points that are no characters. Names may have them."""
    return _CONTROLS.sub(lambda match: f"\\x{ord(match[0]):02x}", text)


def tokens(line: str) -> Iterator[tuple[Kind, str]]:
    """The tokens of a line without comments. Their concatenation is the line."""
    for match in _TOKEN.finditer(line):
        kind, text = match.lastgroup, match[0]
        if kind == "word":
            kind = "keyword" if text in ("let", "in") else "type" if text in _TYPES else kind
        if kind == "quoted" or (kind == "word" and not is_reserved(text)):
            kind = "name"
        yield cast(Kind, kind), text


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
    """CPS text as an HTML element, with its style sheet."""
    lines = text.rstrip("\n").split("\n")
    coloured = "\n".join("".join(_span(*token) for token in tokens(line)) for line in lines)
    return f'{_STYLE}<pre class="cps">{coloured}</pre>\n'


def _span(kind: Kind, text: str) -> str:
    text = escape(printable(text), quote=False)
    return f'<span class="{kind}">{text}</span>' if kind in _COLOURED else text
