"""Statements of Python, and their text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Union

from cpsconv.core.nodes import NodeType


class If(metaclass=NodeType):
    """``if condition: then else: otherwise``; `opposite` is the text of the negated condition."""

    condition: str
    opposite: str
    then: Block = field(default_factory=list)
    otherwise: Block = field(default_factory=list)


class Loop(metaclass=NodeType):
    """``while condition: body``, or ``for i in range(…): body``; `head` is the text before the colon.

    `otherwise` is executed at the end of the range.
    """

    head: str
    body: Block
    otherwise: Block = field(default_factory=list)


class Try(metaclass=NodeType):
    """``try: body``, then ``except error: handler``."""

    body: Block
    handler: Block
    error: str = "IndexError"


Node = Union[str, If, Loop, Try]
"""A statement; a simple statement is its text."""

Block = list[Node]


def membership_test(value: str, cases: Sequence[int]) -> tuple[str, str]:
    """The condition that a value is one of the cases, and its negation."""
    if len(cases) == 1:
        return f"{value} == {cases[0]}", f"{value} != {cases[0]}"
    listed = ", ".join(map(str, cases))
    return f"{value} in ({listed})", f"{value} not in ({listed})"


def binary_selection(selector: str, bodies: list[Block], first: int = 0) -> Block:
    """Nested ``if``s that select a body by binary search, where `selector` holds `first` for the first one."""
    if len(bodies) == 1:
        return bodies[0]
    half = len(bodies) // 2
    then = binary_selection(selector, bodies[:half], first)
    otherwise = binary_selection(selector, bodies[half:], first + half)
    return [If(f"{selector} < {first + half}", f"{selector} >= {first + half}", then or ["pass"], otherwise)]


def lines_of(block: Block, depth: int) -> Iterator[str]:
    """The lines of a block, indented to the depth."""
    margin = "    " * depth
    if not block:
        yield f"{margin}pass"
    for node in block:
        if isinstance(node, str):
            yield f"{margin}{node}"
        elif isinstance(node, Try):
            yield f"{margin}try:"
            yield from lines_of(node.body, depth + 1)
            yield f"{margin}except {node.error}:"
            yield from lines_of(node.handler, depth + 1)
        elif isinstance(node, Loop):
            yield f"{margin}{node.head}:"
            yield from lines_of(node.body, depth + 1)
            if node.otherwise:
                yield f"{margin}else:"
                yield from lines_of(node.otherwise, depth + 1)
        else:
            word, rest = "if", Block([node])
            while len(rest) == 1 and isinstance(rest[0], If):
                yield f"{margin}{word} {rest[0].condition}:"
                yield from lines_of(rest[0].then, depth + 1)
                word, rest = "elif", rest[0].otherwise
            if rest:
                yield f"{margin}else:"
                yield from lines_of(rest, depth + 1)
