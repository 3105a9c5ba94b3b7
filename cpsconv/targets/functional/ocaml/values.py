"""Values and calls in OCaml: options for values that may be undefined, and tuples for many arguments.

A value that may be undefined has a type of its own, an option. A defined value is *coerced* where an option is
expected. For a continuation, the direction is reversed: its arguments are coerced when it is called.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Union

from cpsconv.core.analysis.undefined import ANYWHERE, Place
from cpsconv.core.ir import Continuation, ContinuationType, External, Function, Type, Undef, Value
from cpsconv.core.text.layout import Group, on_one_line
from cpsconv.targets.functional.terms import OPEN, Line, Term, application

Kind = Union[bool, "tuple[Kind, ...]"]
"""Whether data is an option; for a continuation, the kinds of its parameters."""


def kind(value: Value, undefined: Collection[Place]) -> Kind:
    """The kind of a value, given `may_be_undefined`."""
    if isinstance(value.type, ContinuationType):
        return kinds(value, undefined)
    return isinstance(value, Undef) or value in undefined


def kinds(target: Value, undefined: Collection[Place]) -> tuple[Kind, ...]:
    """The kinds of the parameters of a continuation. The environment takes and passes defined values only."""
    if isinstance(target, External) or (isinstance(target, Function) and target.transfer is None):
        undefined = ()
    if isinstance(target, Continuation):
        return tuple(kind(parameter, undefined) for parameter in target.parameters)
    assert isinstance(target.type, ContinuationType)
    types = enumerate(target.type.parameters)
    return tuple(_kind_at(type, undefined, (target, index)) for index, type in types)


def _kind_at(type: Type, undefined: Collection[Place], place: Place = ANYWHERE) -> Kind:
    """The kind of a value that is passed at the place. The analysis does not distinguish places further inside."""
    if isinstance(type, ContinuationType):
        return tuple(_kind_at(inner, undefined) for inner in type.parameters)
    return place in undefined


def coerced(term: Term, given: Kind, wanted: Kind, depth: int = 1) -> Term:
    """A value of one kind as one of another: ``Some x``, ``defined x``, ``fun v -> k (Some v)``."""
    if given == wanted:
        return term
    if isinstance(given, bool) or isinstance(wanted, bool):
        return application("Some" if wanted else "defined", [term])
    primes = "'" * depth  # no name of the program has primes
    names = [f"v{index or ''}{primes}" for index in range(len(given))]
    pairs = zip(map(Term, names), wanted, given, strict=True)
    arguments = [coerced(name, inner, outer, depth + 1) for name, inner, outer in pairs]
    pattern, unpacking = pattern_of(names)
    body = [*(line.piece for line in unpacking), applied(on_one_line(term.piece), arguments).piece]
    return Term(f"fun {pattern} -> {' '.join(map(on_one_line, body))}", OPEN)


# ---------------------------------------------------------------------------------------------------------- calls

PACK = "values"
"""The name of a tuple of values."""

_MAX_ARGUMENTS = 8
"""Of more arguments, all but the last are passed in a tuple, so that compiled calls, too, are tail calls."""


def pattern_of(names: Sequence[str]) -> tuple[str, list[Line]]:
    """``a b``: the parameters of a function, and the lines at the start of its body that unpack them."""
    if len(names) <= _MAX_ARGUMENTS:
        return " ".join(names) or "()", []
    *before, last = names
    return f"{PACK} {last}", [Line(Group("let ", [*before], f" = {PACK} in", bracketed=False))]


def packed(arguments: Sequence[Term]) -> list[Term]:
    """The arguments of a call, at least one."""
    if len(arguments) <= _MAX_ARGUMENTS:
        return [*arguments] or [Term("()")]
    *before, last = arguments
    return [Term(Group("(", [term.piece for term in before], ")", bracketed=False)), last]


def applied(function: str, arguments: Sequence[Term]) -> Term:
    """``f a b``"""
    return application(function, packed(arguments))
