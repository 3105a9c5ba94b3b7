"""Code that consists of lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cpsconv.text.pieces import Piece, laid_out, on_one_line


class Line(NamedTuple):
    """A line, and how deep it is indented. Where it is too long, `several` stand there, or parts of it on a few."""

    piece: Piece
    depth: int = 0
    several: tuple[Line, ...] = ()


def indented(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, one level deeper."""
    return (line._replace(depth=line.depth + 1) for line in lines)


def text_of(lines: Iterable[Line], width: int, indentation: int = 2, hanging: int = 2) -> str:
    """The lines as text; none is longer than `width` if that can be avoided. (For `hanging`, see `laid_out`.)"""
    return "\n".join(line for each in lines for line in _laid_out(each, width, indentation, hanging))


def _laid_out(line: Line, width: int, indentation: int, hanging: int) -> Iterator[str]:
    margin = " " * (indentation * line.depth)
    room = max(width - len(margin), width // 2)
    if line.several and len(on_one_line(line.piece)) > room:
        for each in line.several:
            yield from _laid_out(each._replace(depth=line.depth + each.depth), width, indentation, hanging)
        return
    for part in laid_out(line.piece, room, indentation, hanging):
        yield (margin + part).rstrip()
