"""The values of literals: numbers, strings and the parts of templates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cpsconv.languages.javascript.escapes import ESCAPED, INVALID, OCTAL, unescaped
from cpsconv.languages.javascript.syntax import Node

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


def name_text(node: Node) -> str:
    """The text of a name or key that is not computed: that of a name, or the value of a string."""
    return string_value(node) if node.kind == "string" else node.text


def template_ranges(node: Node) -> Iterator[tuple[int, int]]:
    """The ranges of the texts between the substitutions of a template."""
    start = node.start + 1
    for each in node.children:
        if each.kind == "template_substitution":
            yield start, each.start
            start = each.end
    yield start, node.end - 1


def template_parts(node: Node) -> tuple[Sequence[str], Sequence[Node]]:
    """The texts between the substitutions of a template, as written, and the expressions in the substitutions."""
    texts = [node.source.text[start:end] for start, end in template_ranges(node)]
    holes = [each.children[0] for each in node.children if each.kind == "template_substitution"]
    return [each.replace("\r\n", "\n").replace("\r", "\n") for each in texts], holes


def cooked(text: str) -> str | None:
    """The value of a text of a template; None if it has invalid escapes, which a tagged template may have."""
    escapes = [each.start() for each in ESCAPED.finditer(text)]
    return None if any(INVALID.match(text, n) or OCTAL.match(text, n) for n in escapes) else unescaped(text)
