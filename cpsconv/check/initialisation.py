"""Warnings about variables that are used before anything was assigned to them.

In the finished program that shows as an `Undef`: directly, as what is used; or as an argument to a parameter, from
which it may reach a use through any number of parameters. To be passed to a continuation of the same function is no
use, for many a variable is carried around a loop and not read before it is written. To be calculated with, decided
by, given to a function or returned is one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TypeGuard

from cpsconv.check.walk import members
from cpsconv.ir import Continuation, Function, Parameter, Program, Undef, Value
from cpsconv.source import Diagnostic, Span, in_source_order, warning


def uninitialised(program: Program) -> list[Diagnostic]:
    """A warning for each use of a variable that is, or may be, without a value; in source order."""
    carried = _carried(program)
    found: dict[tuple[str, int | None], Diagnostic] = {}
    for member in members(program):
        for value, span in _used(member):
            undef = value if isinstance(value, Undef) else carried.get(value)
            if undef and not _stands_for_no_variable(undef, span):
                key = undef.name, span.start if span else None
                found.setdefault(key, _warning(undef, "is" if undef is value else "may be", span))
    return in_source_order(list(found.values()))


def _carried(program: Program) -> dict[Value, Undef]:
    """The parameters that can come to hold an undefined value, each with one that it can be."""
    receivers: dict[Value, list[Parameter]] = defaultdict(list)
    for member in members(program):
        for edge in member.transfer.edges if member.transfer else ():
            if _is_local(edge.target):
                for parameter, argument in zip(edge.target.parameters, edge.arguments, strict=False):
                    receivers[argument].append(parameter)
    carried: dict[Value, Undef] = {}
    pending: list[tuple[Value, Undef]] = [(value, value) for value in receivers if isinstance(value, Undef)]
    for source, undef in pending:  # grows underway
        for receiver in receivers[source]:
            if receiver not in carried:
                carried[receiver] = undef
                pending.append((receiver, undef))
    return carried


def _is_local(target: Value) -> TypeGuard[Continuation]:
    return isinstance(target, Continuation) and not isinstance(target, Function)


def _used(member: Continuation) -> Iterator[tuple[Value, Span | None]]:
    """What the continuation uses, with where it does. What it passes on within the function is left out."""
    for statement in member.body:
        yield from ((operand, statement.span) for operand in statement.operands)
    if member.transfer:
        yield from ((operand, member.transfer.span) for operand in member.transfer.operands)
        for edge in member.transfer.edges:
            if not _is_local(edge.target):
                yield from ((argument, member.transfer.span) for argument in edge.arguments)


def _stands_for_no_variable(undef: Undef, use: Span | None) -> bool:
    """Whether the front end made up the value right where it is used: a function ends without returning one."""
    return undef.span is not None and undef.span is use


def _warning(undef: Undef, certainty: str, use: Span | None) -> Diagnostic:
    declared = undef.span
    elsewhere = use and declared and (declared.start, declared.end) != (use.start, use.end)
    notes: list[tuple[str, Span | None]] = [("declared here", declared)] if elsewhere else []
    return warning(f"`{undef.name}` {certainty} used uninitialised", use or undef.span, notes=notes)
