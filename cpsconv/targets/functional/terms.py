"""Expressions of languages with infix operators, with parentheses wherever the precedence is not obvious."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cpsconv.core.ir import PTR, UNSIGNED_LONG, Constant, Scalar, Statement
from cpsconv.core.operations.python_formats import decimal_text
from cpsconv.core.operations.semantics import normalised
from cpsconv.core.operations.table import PRECEDENCE
from cpsconv.core.text.layout import Group, Piece, layout_lines, on_one_line, wrapped
from cpsconv.core.text.spelling import needs_no_parentheses

APPLICATION, PREFIX, OPEN = "application", "prefix", "open"


@dataclass(frozen=True, slots=True)
class Term:
    """The text of an expression and its outermost operator.

    `op` is the name of a binary operation, whose precedence is that of the CPS text; `APPLICATION` of a function to
    arguments without brackets; `PREFIX`; `OPEN` for an expression that extends as far to the right as possible, such as
    an abstraction; ``""`` for a single word or an expression in brackets.
    """

    piece: Piece
    op: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapped(Term):
    """``to_int(a + b)``: the lowest `bits` of the term `exact`, as a number of an integer type."""

    exact: Term
    bits: int


def wrapped_to(type: Scalar, exact: Term, whole: Term) -> Term:
    """The term `whole`, which wraps `exact` to the type."""
    return Wrapped(whole.piece, whole.op, exact=exact, bits=type.bits)


def congruent(term: Term, type: Scalar) -> Term:
    """The term, or a simpler one that has the same lowest bits, as many as the type has."""
    return term.exact if isinstance(term, Wrapped) and term.bits >= type.bits else term


def row(items: Iterable[Piece], opening: str = "") -> Piece:
    """Pieces separated by spaces; or each after the first on a line of its own, indented."""
    return Group(opening, [*items], "", separator="", bracketed=False)


def bracketed(term: Term) -> Term:
    """``(term)``"""
    return Term(wrapped("(", term.piece, ")"))


def atom(term: Term) -> Term:
    """The term as an atomic expression: in parentheses, unless it is a single word or in brackets."""
    return bracketed(term) if term.op else term


def prefix(symbol: str, term: Term) -> Term:
    """``-term``"""
    return Term(wrapped(symbol, atom(term).piece), PREFIX)


def infix(op: str, operands: Sequence[Term], symbol: str | None = None) -> Term:
    """``left + right``. `symbol` is the operator of the language, by default that of the CPS text."""
    first, last = (_operand(op, term, side).piece for side, term in enumerate(operands))
    is_same = isinstance(first, Group) and PRECEDENCE.get(operands[0].op) == PRECEDENCE[op]
    items = first.items if isinstance(first, Group) and is_same and not first.opening else [first]
    return Term(row([*items, wrapped(f"{symbol or op} ", last)]), op)


def _operand(op: str, term: Term, side: int) -> Term:
    is_infix = term.op in PRECEDENCE
    binds_tighter = needs_no_parentheses(op, term.op, side) if is_infix else term.op != OPEN
    return term if binds_tighter else bracketed(term)


def call(function: str, arguments: Iterable[Term]) -> Term:
    """``function(argument, argument)``, with a trailing comma if each argument has its own line."""
    items = [argument.piece for argument in arguments]
    return Term(Group(f"{function}(", items, ")", trailing="," * (len(items) > 1)) if items else f"{function}()")


def list_of(items: Sequence[Term]) -> Piece:
    """``[item, item]``"""
    return Group("[", [item.piece for item in items], "]") if items else "[]"


def application(function: str, arguments: Iterable[Term]) -> Term:
    """``function argument argument``"""
    items = [atom(argument).piece for argument in arguments]
    return Term(row(items, f"{function} "), APPLICATION) if items else Term(function)


def operand_type(statement: Statement) -> Scalar:
    """The type of the first operand."""
    type = statement.operands[0].type
    assert isinstance(type, Scalar)
    return type


def converted_types(statement: Statement) -> tuple[Scalar, Scalar]:
    """The types of the operand and result of a conversion; that of the numbers of pointers is `unsigned long`."""
    source, target = (UNSIGNED_LONG if type is PTR else type for type in (operand_type(statement), statement.type))
    return source, target


def literal(constant: Constant, words: Mapping[str, str], numbered: str) -> str:
    """The text of a constant: ``5``, ``-0.5``, ``"text"``.

    `words` are the language's words for ``True``, ``False``, ``nan``, ``-nan``, ``inf`` and ``-inf``. `numbered` is the
    format of the escape sequence of a character by its code.
    """
    value = normalised(constant.type, constant.value)
    if isinstance(value, str):
        plain = {each: each if " " <= each <= "~" else numbered.format(ord(each)) for each in value}
        return '"' + "".join(_ESCAPES.get(each, plain[each]) for each in value) + '"'
    is_negative_nan = value != value and math.copysign(1, value) < 0
    if isinstance(value, int) and not isinstance(value, bool):
        return decimal_text(value)
    text = "-nan" if is_negative_nan else repr(value)
    return words.get(text, text)


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def signed(text: str) -> Term:
    """A number as a term."""
    return Term(text, PREFIX if text.startswith("-") else "")


class Line(NamedTuple):
    """A line and its depth. A line that is too long is replaced by `several`, if given, and broken otherwise."""

    piece: Piece
    depth: int = 0
    several: tuple[Line, ...] = ()


def indented(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, one level deeper."""
    return (Line(piece, depth + 1, several) for piece, depth, several in lines)


def text_of(lines: Iterable[Line], width: int, indentation: int = 2, hanging: int = 2) -> str:
    """The lines as text, none longer than `width` if possible. (For `hanging`, see `layout_lines`.)"""
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
