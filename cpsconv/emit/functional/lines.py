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


def text_of(lines: Iterable[Line], width: int, indentation: int = 2, hanging: int = 2) -> str:
    """The lines as text; none is longer than `width` if that can be avoided. (For `hanging`, see `laid_out`.)"""
    return "\n".join(line for each in lines for line in _laid_out(each, width, indentation, hanging))


def _laid_out(line: Line, width: int, indentation: int, hanging: int) -> Iterator[str]:
    margin = " " * (indentation * line.depth)
    for part in laid_out(line.piece, max(width - len(margin), width // 2), indentation, hanging):
        yield (margin + part).rstrip()
