"""Checks of form: what a program consists of, whatever its types."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.analysis.graph import reachable
from cpsconv.check.walk import members, users
from cpsconv.ir import Call, Function, Program, Value
from cpsconv.source import Diagnostic, error


def function_names_are_distinct(program: Program) -> Iterator[Diagnostic]:
    """No two functions have the same name."""
    first: dict[str, Function] = {}
    for function in program.functions:
        if function.name in first:
            complaint = f"there is more than one function `{function.name}`"
            yield error(complaint, function.span, notes=[("the first one is here", first[function.name].span)])
        first.setdefault(function.name, function)


def functions_belong_to_the_program(program: Program) -> Iterator[Diagnostic]:
    """A function that is called, or used as a value, is one of the program's."""
    known = set(program.functions)
    for member in members(program):
        for user, values in users(member):
            callee = [user.callee] if isinstance(user, Call) else []
            for value in (*callee, *values):
                if isinstance(value, Function) and value not in known:
                    yield error(f"`{value.name}` is not a function of this program", user.span)


def continuations_have_transfers(program: Program) -> Iterator[Diagnostic]:
    """Each continuation ends with a transfer."""
    for member in members(program):
        if member.transfer is None:
            yield error(f"`{member.name}` does not end with a transfer", member.span)


def listed_continuations_are_reachable(program: Program) -> Iterator[Diagnostic]:
    """A function lists no continuation that it cannot come to."""
    for function in program.functions:
        reached = set(reachable(function))
        for member in function.continuations:
            if member not in reached:
                yield error(f"`{member.name}` cannot be reached from `{function.name}`", member.span)


def reachable_continuations_are_listed(program: Program) -> Iterator[Diagnostic]:
    """A function lists each continuation that it can come to, and does so once."""
    for function in program.functions:
        listed = set(function.members())
        for member in reachable(function):
            if member not in listed:
                yield error(f"`{member.name}` is used in `{function.name}`, but does not belong to it", member.span)


def values_are_defined_once(program: Program) -> Iterator[Diagnostic]:
    """No parameter, statement or continuation occurs in two places."""
    seen: set[Value] = set()
    for member in members(program):
        for value in (member, *member.parameters, *member.body):
            if value in seen:
                yield error(f"`{value.name or value.type}` is defined twice", value.span)
            seen.add(value)
