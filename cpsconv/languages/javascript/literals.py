"""The values of literals: numbers, strings and the parts of templates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cpsconv.languages.javascript.escapes import ESCAPED, INVALID, OCTAL, unescaped
from cpsconv.languages.javascript.syntax import Node

_OCTAL = re.compile(r"0[0-7]+")  # in the old style
_MAX_BITS = 14_000  # of a number that Python converts to decimal digits
_RADIX = {"x": 16, "o": 8, "b": 2}


def number_text(text: str) -> str:
    """The decimal text of a number, without a suffix and with as few digits as denote it; of a BigInt with ``n``."""
    digits = text.replace("_", "").lower().removesuffix("n")
    radix = _RADIX.get(digits[1:2]) if digits.startswith("0") else None
    whole = int(digits[2:], radix) if radix else int(digits, 8) if _OCTAL.fullmatch(digits) else None
    if text.endswith("n"):
        if whole is None:
            return f"{digits}n"
        return f"{whole}n" if whole.bit_length() < _MAX_BITS else f"{whole:#x}n"
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
