"""Words that were meant by what is spelt almost like them."""

from __future__ import annotations

from collections.abc import Iterable

from cpsconv.source import nearest

STATEMENT_WORDS = frozenset(
    ["break", "case", "continue", "default", "do", "else", "for", "goto", "if", "return", "switch", "while"]
)
"""The keywords of statements."""

_CERTAIN = 0.8  # of 1: so alike are words of which a few letters are swapped, left out or added


def near_statement(name: str) -> str | None:
    """The keyword of a statement that is almost spelt like `name`, if one is."""
    return certainly_near(name, sorted(STATEMENT_WORDS))


def certainly_near(name: str, words: Iterable[str]) -> str | None:
    """The one of `words` that is almost spelt like `name`, if one is; letters in another order are no difference."""
    permuted = [word for word in words if sorted(word) == sorted(name) and word != name]
    return permuted[0] if permuted else nearest(name, words, _CERTAIN)
