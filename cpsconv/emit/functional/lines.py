"""Code that consists of lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cpsconv.text.pieces import Piece, laid_out


class Line(NamedTuple):
    """A line, or a few where it is too long, and how deep it is indented."""

    piece: Piece
    depth: int = 0


def indented(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, one level deeper."""
    return (Line(line.piece, line.depth + 1) for line in lines)


def text_of(lines: Iterable[Line], width: int, indentation: int = 2) -> str:
    """The lines as text; none is longer than `width` if that can be avoided."""
    return "\n".join(line for each in lines for line in _laid_out(each, width, indentation))


def _laid_out(line: Line, width: int, indentation: int) -> Iterator[str]:
    margin = " " * (indentation * line.depth)
    for part in laid_out(line.piece, max(width - len(margin), width // 2), indentation):
        yield margin + part
