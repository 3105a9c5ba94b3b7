"""How functions take values in OCaml, and how they are passed to them."""

from __future__ import annotations

from collections.abc import Sequence

from cpsconv.emit.functional.ocaml.options import Kind
from cpsconv.emit.functional.terms import OPEN, Line, Term, application
from cpsconv.text.layout import Group, on_one_line

PACK = "values"
"""The name of a tuple of values."""

_MOST_ARGUMENTS = 8
"""More are passed in a tuple, all but the last: so calls of any kind are tail calls, also when compiled."""


def pattern_of(names: Sequence[str]) -> tuple[str, list[Line]]:
    """``a b``: the parameters of a function, and what its body begins with."""
    if len(names) <= _MOST_ARGUMENTS:
        return " ".join(names) or "()", []
    *before, last = names
    return f"{PACK} {last}", [Line(Group("let ", [*before], f" = {PACK} in", bracketed=False))]


def packed(arguments: Sequence[Term]) -> list[Term]:
    """The arguments as the function takes them, of which there is at least one."""
    if len(arguments) <= _MOST_ARGUMENTS:
        return [*arguments] or [Term("()")]
    *before, last = arguments
    return [Term(Group("(", [term.piece for term in before], ")", bracketed=False)), last]


def applied(function: str, arguments: Sequence[Term]) -> Term:
    """``f a b``"""
    return application(function, packed(arguments))


def coerced(term: Term, given: Kind, wanted: Kind, depth: int = 1) -> Term:
    """A value of one kind as one of another: ``Some x``, ``defined x``, ``fun v -> k (Some v)``."""
    if given == wanted:
        return term
    if isinstance(given, bool) or isinstance(wanted, bool):
        return application("Some" if wanted else "defined", [term])
    primes = "'" * depth  # no name of ours has any
    names = [f"v{index or ''}{primes}" for index in range(len(given))]
    pairs = zip(map(Term, names), wanted, given, strict=True)
    arguments = [coerced(name, inner, outer, depth + 1) for name, inner, outer in pairs]
    pattern, unpacking = pattern_of(names)
    body = [*(line.piece for line in unpacking), applied(on_one_line(term.piece), arguments).piece]
    return Term(f"fun {pattern} -> {' '.join(map(on_one_line, body))}", OPEN)
