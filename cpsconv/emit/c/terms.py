"""Terms, the texts of expressions with their precedence; and declarators."""

from __future__ import annotations

import re
from dataclasses import dataclass

ADDITIVE, UNARY, PRIMARY = 9, 12, 13
"""Levels of precedence: of ``a + b``, of ``-a``, and of names, calls and accesses."""


@dataclass(frozen=True, slots=True)
class Term:
    """The text of an expression, its precedence `level`, and its outermost binary operator `op`, ``""`` if none."""

    text: str
    level: int = PRIMARY
    op: str = ""


def cast(type: str, term: Term) -> Term:
    """The term converted to the type, by an explicit cast."""
    clear = term.level >= UNARY and not term.op and term.text[0] != "-"
    return Term(f"({type}){term.text if clear else f'({term.text})'}", UNARY)


def as_primary(term: Term) -> str:
    """The text of the term before ``[``, ``.`` or ``->``."""
    return term.text if term.level >= PRIMARY and not term.op else f"({term.text})"


def as_unary(term: Term) -> str:
    """The text of the term after a prefix operator."""
    return term.text if term.level >= UNARY and not term.op else f"({term.text})"


def split(pattern: str, name: str) -> tuple[str, str]:
    """The specifier and the declarator of a declaration: ``int (*{})(void)`` gives ``int`` and ``(*f)(void)``."""
    found = re.match(r"((?:_Alignas\(\d+\) )?.*?) ?([*({].*)", pattern)
    assert found
    return found[1], found[2].format(name)
