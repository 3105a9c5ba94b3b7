"""A few lines of a program's text, around one item that is marked."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.ir import Program
from cpsconv.text.comments import Comment, Item
from cpsconv.text.printer import pretty_lines

_MARK = "// here"  # a line that no program has: what is printed has no comments but those that are given


def excerpt(program: Program, item: Item, around: int = 6) -> Iterator[str]:
    """The line of `item`, a ``▶`` before it, and at most so many lines before and after it, in the nested layout."""
    before: list[str] = []
    lines = pretty_lines(program, comments={item: [Comment(_MARK)]})
    for line in lines:
        if line.strip() == _MARK:
            break
        before = [*before[-around + 1 :], line]
    yield from (f"  {line}" for line in before)
    for number, line in enumerate(lines):
        if number > around:
            break
        yield f"▶ {line}" if number == 0 else f"  {line}"
