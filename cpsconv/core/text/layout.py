"""The layout of text: on one line, or broken into several lines if it is too long."""

from __future__ import annotations

from typing import Any, Union

from cpsconv.core.nodes import NodeType

INDENTATION = 2


class Group(metaclass=NodeType):
    """`opening`, items separated by `separator`, `closing`.

    A group that does not fit on a line has each item on its own line: between the brackets if it is `bracketed`,
    otherwise from the second item on. A broken group has `trailing` after its last item.
    """

    opening: str
    items: list[Piece]
    closing: str
    separator: str = ","
    bracketed: bool = True
    trailing: str = ""


Piece = Union[str, Group]


def wrapped(opening: str, piece: Piece, closing: str = "") -> Piece:
    """`piece` with `opening` directly before it and `closing` directly after it."""
    if isinstance(piece, str):
        return opening + piece + closing
    if not opening and not closing:
        return piece
    opening, closing = opening + piece.opening, piece.closing + closing
    return Group(opening, piece.items, closing, piece.separator, piece.bracketed, piece.trailing)


def on_one_line(piece: Piece) -> str:
    """The piece without line breaks. (Recursive: the nesting of pieces is bounded, like that of statements.)"""
    if isinstance(piece, str):
        return piece
    items = [item if type(item) is str else on_one_line(item) for item in piece.items]
    return piece.opening + f"{piece.separator} ".join(items) + piece.closing


def layout_lines(piece: Piece, width: int, indentation: int = INDENTATION, hanging: int = INDENTATION) -> list[str]:
    """The lines of the piece, no longer than `width` if possible.

    Items in brackets are indented by `indentation`, items of other groups by `hanging`.
    """
    line = on_one_line(piece)
    if len(line) <= width or isinstance(piece, str) or not piece.items:
        return [line]
    room, items = width - indentation, [*map(on_one_line, piece.items)]
    if all(isinstance(item, str) or len(text) < room for item, text in zip(piece.items, items, strict=True)):
        return _broken(piece, items, indentation, hanging)
    from prettyprinter.layout import layout_fast  # imported late: most texts have no long lines
    from prettyprinter.render import default_render_to_str

    document = _document(piece, width, indentation, hanging)
    rendered: str = default_render_to_str(layout_fast(document, width, ribbon_frac=1.0))
    return rendered.split("\n")


def _broken(group: Group, items: list[str], indentation: int, hanging: int) -> list[str]:
    """The lines of a group that has each of its items, which fit on a line, on its own line."""
    lines = [*(item + group.separator for item in items[:-1]), items[-1] + group.trailing]
    if group.bracketed:
        closing = [group.closing.lstrip()] if group.closing else []
        lines = [group.opening, *(" " * indentation + line for line in lines), *closing]
    else:
        lines = [group.opening + lines[0], *(" " * hanging + line for line in lines[1:])]
        lines[-1] += group.closing
    return [line.rstrip() for line in lines]


def _document(piece: Piece, width: int, indentation: int, hanging: int) -> Any:
    """The piece as a document of the package `prettyprinter`. A piece that fits on one line becomes a string."""
    from prettyprinter.doc import LINE, SOFTLINE, concat, flat_choice, group, nest

    line = on_one_line(piece)
    if len(line) < width or isinstance(piece, str) or not piece.items:
        return line
    first, *others = (_document(item, width - indentation, indentation, hanging) for item in piece.items)
    rest = [part for item in others for part in (piece.separator, LINE, item)]
    rest.append(flat_choice(when_flat="", when_broken=piece.trailing))
    if piece.bracketed:
        start, end = (LINE if text.strip() != text else SOFTLINE for text in (piece.opening, piece.closing))
        inside = nest(indentation, concat([start, first, *rest]))
        return group(concat([piece.opening.rstrip(), inside, end if piece.closing else "", piece.closing.lstrip()]))
    return group(concat([piece.opening, first, nest(hanging, concat(rest)), piece.closing]))
