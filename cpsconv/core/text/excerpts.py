"""Excerpts: a few lines of the text of a program around an item."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice, takewhile

from cpsconv.core.ir import Program
from cpsconv.core.text.comments import Comment, Item
from cpsconv.core.text.printer import pretty_lines

_CONTEXT = 6  # lines before and after the item
_MARK = "// here"  # unique: the text has no other comments


def excerpt(program: Program, item: Item) -> Iterator[str]:
    """The line of `item`, marked with ``▶``, and a few lines before and after it, in the nested layout."""
    lines = pretty_lines(program, comments={item: [Comment(_MARK)]})
    before = deque(takewhile(lambda line: line.strip() != _MARK, lines), _CONTEXT)
    yield from (f"  {line}" for line in before)
    yield f"▶ {next(lines)}"
    yield from (f"  {line}" for line in islice(lines, _CONTEXT))
