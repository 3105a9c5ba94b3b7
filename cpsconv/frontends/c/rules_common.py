"""What the methods for the grammar's rules share.

A rule of the grammar is handled by the method of its name (or of the name after the rule's ``->``), which gets what
the parts of the rule were made into, tokens included, as a list. The rule is quoted above its method.
"""

from __future__ import annotations

from typing import Any

from cpsconv.frontends.c.faults import Faults
from cpsconv.frontends.c.syntax import Literal
from cpsconv.frontends.c.tokens import Words
from cpsconv.ir import INT
from cpsconv.source import Span

Parts = list[Any]
"""The parts of a rule: nodes, tokens (`cpsconv.frontends.c.tokens.Token`), lists of them."""


class Rules:
    """The state of one parse: the faults found in it, what names mean, and which are declared in it."""

    def __init__(self, faults: Faults, words: Words, defined: set[str]) -> None:
        self.faults = faults
        self.words = words
        self.defined = defined
        self.declared: set[str] = set()

    def unsupported(self, subject: str, span: Span) -> Literal:
        """Complain of an expression that is not supported yet; gives a stand-in for it."""
        self.faults.unsupported(subject, span, use=True)
        return Literal(span, INT, 0)

    # Lists are built in place, from the left: their parts are added in constant time.

    def nothing(self, parts: Parts) -> list[Any]:
        """list: ε"""
        return []

    def first(self, parts: Parts) -> list[Any]:
        """list: element"""
        return parts

    def append(self, parts: Parts) -> Any:
        """list: list element"""
        elements, element = parts
        elements.append(element)
        return elements

    def append_after_comma(self, parts: Parts) -> Any:
        """list: list "," element"""
        elements, _, element = parts
        elements.append(element)
        return elements

    def skip(self, parts: Parts) -> Any:
        """list: list (";" | ERROR)"""
        return parts[0]

    def unused(self, parts: Parts) -> None:
        """What belongs to something that is not supported yet."""


def whole(parts: Parts) -> Span:
    """The span of a rule, from its first to its last part."""
    first: Span = parts[0].span
    return Span(first.source, first.start, parts[-1].span.end)
