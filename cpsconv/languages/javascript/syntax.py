"""Syntax trees of JavaScript, which tree-sitter parses: nodes with positions, without comments.

A `Node` has the kind and the fields that the grammar of tree-sitter names. Parentheses are removed, except where
they decide about the meaning: around a function or class without a name, and around an optional chain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NoReturn

from cpsconv.core.source import DiagnosticError, Source, Span, error
from cpsconv.languages.javascript.escapes import unescaped_name

_SHOWN = 20  # characters of a construct in a message
_NAMES = ("identifier", "identifier_pattern")


class Node:
    """A node of the tree: its `children` that are no punctuation, in order, and among them those of each field.

    `words` are the other tokens: keywords, operators and punctuation. `parts` has both.
    """

    __slots__ = ("children", "end", "fields", "is_parameter", "kind", "parts", "source", "start", "words")

    def __init__(self, kind: str, source: Source, start: int, end: int) -> None:
        self.kind, self.source, self.start, self.end = kind, source, start, end
        self.children: list[Node] = []
        self.fields: dict[str, list[Node]] = {}
        self.words: list[str] = []
        self.parts: list[Node] = []
        self.is_parameter = False

    @property
    def span(self) -> Span:
        """The range of the source that the node covers."""
        return Span(self.source, self.start, self.end)

    @property
    def text(self) -> str:
        """The text that the node covers; the escapes of a name are decoded."""
        text = self.source.text[self.start : self.end]
        return unescaped_name(text) if "\\" in text and self.kind.endswith(_NAMES) else text

    def get(self, field: str) -> Node | None:
        """The first child of a field, if any."""
        found = self.fields.get(field)
        return found[0] if found else None

    def __getitem__(self, field: str) -> Node:
        return self.fields[field][0]

    def all(self, field: str) -> Sequence[Node]:
        """All children of a field."""
        return self.fields.get(field, ())

    def __repr__(self) -> str:
        return f"Node({self.kind!r}, {self.text[:_SHOWN]!r})"


def refuse(node: Node, what: str = "") -> NoReturn:
    """Raise `DiagnosticError`: a construct is not read, by default the node itself, which its kind names."""
    what = what or f"`{node.text}`" if len(node.text) < _SHOWN else what or node.kind.replace("_", " ")
    raise DiagnosticError([error(f"{what} is not read", node.span, rule="unsupported")])


def unparenthesised(node: Node) -> Node:
    """The expression in parentheses, or the node itself."""
    while node.kind == "parenthesized_expression" and len(node.children) == 1:
        node = node.children[0]
    return node


def elements_of(node: Node) -> list[Node | None]:
    """The elements of a list in brackets or parentheses; None for a hole."""
    found: list[Node | None] = []
    children, is_after_element = {*node.children}, False
    for part in node.parts[1:-1]:
        if part.kind == ",":
            if not is_after_element:
                found.append(None)
            is_after_element = False
        elif part in children:
            found.append(part)
            is_after_element = True
    return found


def has_line_end(text: str) -> bool:
    """Whether a text has the end of a line."""
    return re.search("[\n\r\u2028\u2029]", text) is not None


def preorder(root: Node) -> Iterator[Node]:
    """All nodes of a tree, each before its children."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))
