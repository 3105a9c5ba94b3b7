"""Warnings about variables that are used before they are assigned.

In the finished program, the value of such a variable is an `Undef`: either an operand, or an argument that may reach an
operand via any number of parameters. Uses are operands of statements, branches and switches, arguments of functions and
returned values. An argument to a continuation of the same function is not a use, because many variables are passed
around a loop and written before they are read.

A variable *is* used uninitialised if no path of the graph assigns to it before the use. It *may be* used uninitialised
if one path assigns to it and another path does not. This is exact for the graph: from each definition of a parameter,
some path leads to each of its uses without defining it again. (Which paths the program takes is undecidable.) A copy
does not initialise: if `y = x` copies an uninitialised variable and `y` is used, the warning is about `x`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from cpsconv.analysis.graph import uses
from cpsconv.analysis.outcomes import Outcome
from cpsconv.check.undef_propagation import UndefPaths, UndefStep, is_local
from cpsconv.ir import Continuation, Function, Program, Undef, Value
from cpsconv.source import Diagnostic, Span, in_source_order, warning

MAX_OUTCOMES = 3
"""The maximal number of outcomes that a warning shows before the first undefined argument, and after it."""

Notes = list[tuple[str, "Span | None"]]


def uninitialised(program: Program) -> list[Diagnostic]:
    """A warning for each use of a variable that is or may be uninitialised, in source order.

    Its notes are the declaration and, if another path assigns to the variable, a path that does not.
    """
    return in_source_order([found for function in program.functions for found in _warnings(function)])


def _warnings(function: Function) -> list[Diagnostic]:
    if not any(Undef in map(type, uses(member)) for member in function.members()):
        return []
    paths = UndefPaths(function)
    found: dict[tuple[str, int | None], Diagnostic] = {}
    for member in function.members():
        for value, use in _used(member):
            step = paths.of(value)
            undef = step.undef if step else value
            if isinstance(undef, Undef) and not _is_missing_result(undef, use):
                key = undef.name, use.start if use else None
                if key not in found:
                    path = _path(paths, step, member) if step and value in paths.assigned else []
                    found[key] = _warning(undef, use, path)
    return list(found.values())


def _used(member: Continuation) -> Iterator[tuple[Value, Span | None]]:
    """The values that the continuation uses, with their spans, except for arguments within the function."""
    for statement in member.body:
        yield from ((operand, statement.span) for operand in statement.operands)
    if member.transfer:
        yield from ((operand, member.transfer.span) for operand in member.transfer.operands)
        for edge in member.transfer.edges:
            if not is_local(edge.target):
                yield from ((argument, member.transfer.span) for argument in edge.arguments)


def _is_missing_result(undef: Undef, use: Span | None) -> bool:
    """Whether the front end created the value at its use, because a function ends without returning one."""
    return undef.span is not None and undef.span is use


def _warning(undef: Undef, use: Span | None, path: Notes) -> Diagnostic:
    certainty = "may be" if path else "is"
    elsewhere = use and undef.span and (undef.span.start, undef.span.end) != (use.start, use.end)
    declared: Notes = [("declared here", undef.span)] if elsewhere else []
    return warning(f"`{undef.name}` {certainty} used uninitialised", use or undef.span, notes=declared + path)


def _path(paths: UndefPaths, last: UndefStep, use: Continuation) -> Notes:
    """The path to a use in `use` of the parameter of `last`, as notes.

    They state the last outcomes before the first undefined argument, then the last ones before the use.
    """
    notes: Notes = []
    for outcomes in paths.before(last.first or last), paths.after(last, use):
        notes += _notes(outcomes, "and then" if notes else "nothing is assigned to it when")
    return notes or [("nothing is assigned to it before control first reaches this use", None)]


def _notes(outcomes: Iterator[Outcome], lead: str) -> Notes:
    """Notes on the last outcomes, in order. The iterator `outcomes` has all of them backwards."""
    last = list(islice(outcomes, MAX_OUTCOMES))
    if next(outcomes, None):
        lead += ", some decisions later,"
    notes: Notes = []
    for outcome in reversed(last):
        notes.append((f"{lead} {outcome}", outcome.span))
        lead = "and then"
    return notes
