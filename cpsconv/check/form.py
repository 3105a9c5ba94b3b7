"""Checks of form: what a program consists of, whatever its types."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.check.subject import Subject
from cpsconv.ir import Call, Function, Value
from cpsconv.source import Diagnostic, error


def function_names_are_distinct(subject: Subject) -> Iterator[Diagnostic]:
    """No two functions have the same name."""
    first: dict[str, Function] = {}
    for function in subject.program.functions:
        if function.name in first:
            complaint = f"there is more than one function `{function.name}`"
            yield error(complaint, function.span, notes=[("the first one is here", first[function.name].span)])
        first.setdefault(function.name, function)


def functions_belong_to_the_program(subject: Subject) -> Iterator[Diagnostic]:
    """A function that is called, or used as a value, is one of the program's."""
    known = set(subject.program.functions)
    for member in subject.members:
        for user, values in subject.uses[member]:
            for value in (user.callee, *values) if isinstance(user, Call) else values:
                if isinstance(value, Function) and value not in known:
                    yield error(f"`{value.name}` is not a function of this program", user.span)


def continuations_have_transfers(subject: Subject) -> Iterator[Diagnostic]:
    """Each continuation ends with a transfer."""
    for member in subject.members:
        if member.transfer is None:
            yield error(f"`{member.name}` does not end with a transfer", member.span)


def listed_continuations_are_reachable(subject: Subject) -> Iterator[Diagnostic]:
    """A function lists no continuation that it cannot come to."""
    for tree in subject.trees:
        for member in tree.function.continuations:
            if member not in tree.children:
                yield error(f"`{member.name}` cannot be reached from `{tree.function.name}`", member.span)


def reachable_continuations_are_listed(subject: Subject) -> Iterator[Diagnostic]:
    """A function lists each continuation that it can come to, and does so once."""
    for tree in subject.trees:
        listed = set(tree.function.members())
        for member in tree.children:
            if member not in listed:
                yield error(
                    f"`{member.name}` is used in `{tree.function.name}`, but does not belong to it", member.span
                )


def values_are_defined_once(subject: Subject) -> Iterator[Diagnostic]:
    """No parameter, statement or continuation occurs in two places."""
    seen: set[Value] = set()
    for member in subject.members:
        for value in (member, *member.parameters, *member.body):
            if value in seen:
                yield error(f"`{value.name or value.type}` is defined twice", value.span)
            seen.add(value)
