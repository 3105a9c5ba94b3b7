"""Expressions of languages with infix operators, in as few parentheses as leave no doubt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cpsconv.operations.table import PRECEDENCE
from cpsconv.text.layout import Group, Piece, layout_lines, on_one_line, wrapped
from cpsconv.text.spelling import needs_no_parentheses

APPLICATION, PREFIX, OPEN = "application", "prefix", "open"


@dataclass(frozen=True, slots=True)
class Term:
    """The text of an expression, and what holds it together at the outside.

    `op` is a binary operator, by its name in CPS text, which tells how tightly it binds in every language; or
    `APPLICATION` of a function to what stands beside it, without brackets; or `PREFIX`; or `OPEN`: it goes on as far to
    the right as it can, as abstractions do. In brackets, or a single word, it is ``""``.
    """

    piece: Piece
    op: str = ""


def bracketed(term: Term) -> Term:
    """``(term)``"""
    return Term(wrapped("(", term.piece, ")"))


def atom(term: Term) -> Term:
    """The term, in parentheses unless it is a single word or in brackets."""
    return bracketed(term) if term.op else term


def prefix(symbol: str, term: Term) -> Term:
    """``-term``"""
    return Term(wrapped(symbol, atom(term).piece), PREFIX)


def infix(op: str, operands: Sequence[Term], symbol: str | None = None) -> Term:
    """``left + right``; `symbol` is how the language spells the operator, if not as CPS text does."""
    first, last = (_operand(op, term, side).piece for side, term in enumerate(operands))
    is_same = isinstance(first, Group) and PRECEDENCE.get(operands[0].op) == PRECEDENCE[op]
    items = first.items if isinstance(first, Group) and is_same and not first.opening else [first]
    return Term(Group("", [*items, wrapped(f"{symbol or op} ", last)], "", separator="", bracketed=False), op)


def _operand(op: str, term: Term, side: int) -> Term:
    binds_tighter = term.op in ("", APPLICATION, PREFIX) or needs_no_parentheses(op, term.op, side)
    return term if binds_tighter else bracketed(term)


def call(function: str, arguments: Iterable[Term]) -> Term:
    """``function(argument, argument)``; where each has its own line, there is a comma behind the last, too."""
    items = [argument.piece for argument in arguments]
    return Term(Group(f"{function}(", items, ")", trailing="," * (len(items) > 1)) if items else f"{function}()")


def application(function: str, arguments: Iterable[Term]) -> Term:
    """``function argument argument``"""
    items = [atom(argument).piece for argument in arguments]
    if not items:
        return Term(function)
    return Term(Group(f"{function} ", items, "", separator="", bracketed=False), APPLICATION)


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def quoted(text: str, numbered: str) -> str:
    """The text in quotes. `numbered` is the format of a character that is given by its number."""
    return '"' + "".join(_ESCAPES.get(each) or _plain_or_numbered(each, numbered) for each in text) + '"'


def _plain_or_numbered(character: str, numbered: str) -> str:
    return character if " " <= character <= "~" else numbered.format(ord(character))


class Line(NamedTuple):
    """A line, and how deep it is indented. Where it is too long, `several` stand there, or parts of it on a few."""

    piece: Piece
    depth: int = 0
    several: tuple[Line, ...] = ()


def indented(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, one level deeper."""
    return (line._replace(depth=line.depth + 1) for line in lines)


def text_of(lines: Iterable[Line], width: int, indentation: int = 2, hanging: int = 2) -> str:
    """The lines as text; none is longer than `width` if that can be avoided. (For `hanging`, see `layout_lines`.)"""
    return "\n".join(line for each in lines for line in _laid_out(each, width, indentation, hanging))


def _laid_out(line: Line, width: int, indentation: int, hanging: int) -> Iterator[str]:
    margin = " " * (indentation * line.depth)
    room = max(width - len(margin), width // 2)
    if line.several and len(on_one_line(line.piece)) > room:
        for each in line.several:
            yield from _laid_out(each._replace(depth=line.depth + each.depth), width, indentation, hanging)
        return
    for part in layout_lines(line.piece, room, indentation, hanging):
        yield (margin + part).rstrip()
