"""A few lines of a program's text, around one item that is marked."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice, takewhile

from cpsconv.ir import Program
from cpsconv.text.comments import Comment, Item
from cpsconv.text.printer import pretty_lines

_AROUND = 6  # lines before it, and after it
_MARK = "// here"  # a line that no program has: what is printed has no comments but those that are given


def excerpt(program: Program, item: Item) -> Iterator[str]:
    """The line of `item`, a ``▶`` before it, and a few lines before and after it, in the nested layout."""
    lines = pretty_lines(program, comments={item: [Comment(_MARK)]})
    before = deque(takewhile(lambda line: line.strip() != _MARK, lines), _AROUND)
    yield from (f"  {line}" for line in before)
    yield f"▶ {next(lines)}"
    yield from (f"  {line}" for line in islice(lines, _AROUND))
