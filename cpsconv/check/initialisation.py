"""Warnings about variables that are used before anything was assigned to them.

In the finished program that shows as an `Undef`: directly, as what is used; or as an argument to a parameter, from
which it may reach a use through any number of parameters. To be passed to a continuation of the same function is no
use, for many a variable is carried around a loop and not read before it is written. To be calculated with, decided
by, given to a function or returned is one.

A variable *is* used uninitialised if on no path of the graph anything is assigned to it before the use. It *may be* if
there is a path without an assignment, and another one with. That is exact: whatever an argument passes on can come all
the way, since from where a parameter gets its value some path leads to each use without giving it another one. (Which
paths the program really takes is a different matter, and undecidable.) A copy is no value: where `y = x` copies a
variable without one, and `y` is used, the warning is about `x`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from cpsconv.analysis.graph import uses
from cpsconv.analysis.outcomes import Outcome
from cpsconv.check.undef_propagation import Arrival, Arrivals, is_local
from cpsconv.ir import Continuation, Function, Program, Undef, Value
from cpsconv.source import Diagnostic, Span, in_source_order, warning

_MOST_DECISIONS = 3  # that are told of the way to where a variable is passed on without a value; and of the way on

Notes = list[tuple[str, "Span | None"]]


def uninitialised(program: Program) -> list[Diagnostic]:
    """A warning for each use of a variable that is, or may be, without a value; in source order.

    Its notes are the declaration and, where another path assigns to the variable, one that does not.
    """
    return in_source_order([found for function in program.functions for found in _warnings(function)])


def _warnings(function: Function) -> list[Diagnostic]:
    if not any(Undef in map(type, uses(member)) for member in function.members()):
        return []
    arrivals = Arrivals(function)
    found: dict[tuple[str, int | None], Diagnostic] = {}
    for member in function.members():
        for value, use in _used(member):
            arrival = arrivals.of(value)
            undef = arrival.undef if arrival else value
            if isinstance(undef, Undef) and not _stands_for_no_variable(undef, use):
                key = undef.name, use.start if use else None
                if key not in found:
                    path = _path(arrivals, arrival, member) if arrival and value in arrivals.assigned else []
                    found[key] = _warning(undef, use, path)
    return list(found.values())


def _used(member: Continuation) -> Iterator[tuple[Value, Span | None]]:
    """What the continuation uses, with where it does. What it passes on within the function is left out."""
    for statement in member.body:
        yield from ((operand, statement.span) for operand in statement.operands)
    if member.transfer:
        yield from ((operand, member.transfer.span) for operand in member.transfer.operands)
        for edge in member.transfer.edges:
            if not is_local(edge.target):
                yield from ((argument, member.transfer.span) for argument in edge.arguments)


def _stands_for_no_variable(undef: Undef, use: Span | None) -> bool:
    """Whether the front end made up the value right where it is used: a function ends without returning one."""
    return undef.span is not None and undef.span is use


def _warning(undef: Undef, use: Span | None, path: Notes) -> Diagnostic:
    certainty = "may be" if path else "is"
    elsewhere = use and undef.span and (undef.span.start, undef.span.end) != (use.start, use.end)
    declared: Notes = [("declared here", undef.span)] if elsewhere else []
    return warning(f"`{undef.name}` {certainty} used uninitialised", use or undef.span, notes=declared + path)


def _path(arrivals: Arrivals, last: Arrival, use: Continuation) -> Notes:
    """The way to a use in `use` of the parameter at which `last` ends: the decisions before the variable is first
    passed on without a value, and those before the use. Of many, the last ones.
    """
    notes: Notes = []
    for decisions in arrivals.before(last.first or last), arrivals.after(last, use):
        notes += _told(decisions, "and then" if notes else "nothing is assigned to it when")
    return notes or [("nothing is assigned to it before control first comes here", None)]


def _told(decisions: Iterator[Outcome], lead: str) -> Notes:
    """The last of some decisions, which come backwards, as notes in order."""
    last = list(islice(decisions, _MOST_DECISIONS))
    if next(decisions, None):
        lead += ", some decisions later,"
    notes: Notes = []
    for step in reversed(last):
        notes.append((f"{lead} {step}", step.span))
        lead = "and then"
    return notes
