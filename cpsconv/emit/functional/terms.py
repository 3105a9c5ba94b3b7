"""Expressions of languages with infix operators, in as few parentheses as leave no doubt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cpsconv.text.pieces import Group, Piece, wrapped
from cpsconv.text.words import PRECEDENCE, is_clear

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
    binds_tighter = term.op in ("", APPLICATION, PREFIX) or is_clear(op, term.op, side)
    return term if binds_tighter else bracketed(term)


def call(function: str, arguments: Iterable[Term]) -> Term:
    """``function(argument, argument)``"""
    items = [argument.piece for argument in arguments]
    return Term(Group(f"{function}(", items, ")") if items else f"{function}()")


def application(function: str, arguments: Iterable[Term]) -> Term:
    """``function argument argument``"""
    items = [atom(argument).piece for argument in arguments]
    if not items:
        return Term(function)
    return Term(Group(f"{function} ", items, "", separator="", bracketed=False), APPLICATION)
