"""What the parsers of several languages share: tokens, a message for unexpected ones, and rules that build lists."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from cpsconv.grammar import END, Parser, tables_of
from cpsconv.source import Diagnostic, Span, error

STRAY = "STRAY"
"""The type of the token for a character that starts no other token."""


class Token(NamedTuple):
    """A token; `type` is the name of its terminal."""

    type: str
    text: str
    span: Span


@cache
def pattern_of(language: str) -> re.Pattern[str]:
    """The pattern of one token, with a group for each terminal with a pattern, ``PUNCTUATOR`` and `STRAY`."""
    tables = tables_of(language)
    symbols = sorted((text for text in tables.spellings if not text.isalpha()), key=len, reverse=True)
    patterns = tables.patterns | {"PUNCTUATOR": "|".join(map(re.escape, symbols)), STRAY: r"[\s\S]"}
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns.items()))


def unexpected(token: Token, parser: Parser, language: str, titles: Mapping[str, str], example: str) -> Diagnostic:
    """The error for a token that the parser rejects. `titles` has the terminals without a fixed spelling, and `END`.

    `example` is shown if the text ends before anything of it was read.
    """
    spelled = {type: f"`{text}`" for text, type in tables_of(language).spellings.items()}
    expected = sorted(titles.get(type) or spelled[type] for type in parser.accepted() - {"ERROR"})
    *others, last = expected
    wanted = f"{', '.join(others)} or {last}" if others else last
    found = f"`{token.text}`" if token.text else titles[END]
    help = example if token.type == END and not parser.values else None
    return error(f"{found} is not expected here, but {wanted}", token.span, help=help, rule="syntax")


def missing(text: str, before: Token) -> Diagnostic:
    """The error that `text` is missing after a token."""
    at = before.span
    return error(f"`{text}` is missing", Span(at.source, at.end - 1, at.end), rule="syntax")


class ListRules:
    """The methods of rules for lists, and for parts that are passed on. Lists grow in place, in constant time."""

    def nothing(self, parts: list[Any]) -> list[Any]:
        return []

    def none(self, parts: list[Any]) -> None:
        return None

    def first(self, parts: list[Any]) -> list[Any]:
        return [parts[0]]

    def second(self, parts: list[Any]) -> Any:
        return parts[1]

    def append(self, parts: list[Any]) -> list[Any]:
        found: list[Any] = parts[0]
        found.append(parts[-1])
        return found

    def extend(self, parts: list[Any]) -> list[Any]:
        found: list[Any] = parts[0]
        found.extend(parts[1])
        return found
