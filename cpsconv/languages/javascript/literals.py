"""The values of literals: numbers, strings and the parts of templates."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cpsconv.languages.javascript.syntax import Node

_ESCAPE = re.compile(
    r"\\(?:u\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|([0-3][0-7]{0,2}|[4-7][0-7]?)|(\r\n|[\s\S]))"
)
_SINGLE = {"n": "\n", "t": "\t", "b": "\b", "v": "\v", "f": "\f", "r": "\r"}
_CONTINUATIONS = ("\n", "\r", "\r\n", "\u2028", "\u2029")
_INVALID = re.compile(r"\\(?:u(?!\{[0-9A-Fa-f]+\}|[0-9A-Fa-f]{4})|x(?![0-9A-Fa-f]{2})|[1-9]|0\d)")
_DECIMAL = re.compile(r"0[0-7]+")
_RADIX = {"x": 16, "o": 8, "b": 2}


def number_text(text: str) -> str:
    """The decimal text of a number, without a suffix and with as few digits as denote it; of a BigInt with ``n``."""
    text = text.replace("_", "").lower()
    is_big = (text.endswith("n") and text[:2] not in ("0x",)) or (text[:2] == "0x" and text.endswith("n"))
    digits = text.removesuffix("n")
    if digits[:1] == "0" and digits[1:2] in _RADIX:
        whole: int | None = int(digits[2:], _RADIX[digits[1]])
    elif _DECIMAL.fullmatch(digits):  # an octal number in the old style
        whole = int(digits, 8)
    else:
        whole = int(digits) if is_big else None
    if is_big:
        return f"{whole}n"
    try:
        value = float(digits if whole is None else whole)
    except OverflowError:
        value = float("inf")
    return "1e999" if value == float("inf") else repr(value).removesuffix(".0")


def string_value(node: Node) -> str:
    """The value of a string literal."""
    return unescaped(node.text[1:-1])


def unescaped(text: str) -> str:
    """The text with the characters that its escapes denote; characters beyond U+FFFF are two."""
    return _ESCAPE.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    point, four, two, octal, single = match.groups()
    digits = point or four or two
    if digits or octal:
        number = int(digits, 16) if digits else int(octal, 8)
        return chr(number) if number <= 0x10FFFF else "\N{REPLACEMENT CHARACTER}"
    return "" if single in _CONTINUATIONS else _SINGLE.get(single, single)


def template_parts(node: Node) -> tuple[Sequence[str], Sequence[Node]]:
    """The texts between the substitutions of a template, as written, and the expressions in the substitutions."""
    holes = [each for each in node.children if each.kind == "template_substitution"]
    text, texts, start = node.source.text, list[str](), node.start + 1
    for hole in holes:
        texts.append(text[start : hole.start])
        start = hole.end
    texts.append(text[start : node.end - 1])
    return [each.replace("\r\n", "\n").replace("\r", "\n") for each in texts], [each.children[0] for each in holes]


def cooked(text: str) -> str | None:
    """The value of a text of a template; None if it has invalid escapes, which a tagged template may have."""
    return None if _INVALID.search(re.sub(r"\\\\", "  ", text)) else unescaped(text)
