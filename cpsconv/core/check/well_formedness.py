"""Checks of form: names, members, transfers, unique definitions; and the data shared by all checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeVar, Union

from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.ir import Call, Constant, Continuation, Data, Foreign, Function, Program, Statement, Transfer, Value
from cpsconv.core.source import Diagnostic, error

User = Union[Statement, Transfer]

Used = TypeVar("Used")

Uses = list[tuple[User, Sequence[Value]]]
"""The statements of a continuation in order, and its transfer, each with all values used, targets included."""


class Subject:
    """A program, possibly malformed, with data that several checks share.

    `members` are its functions and their listed continuations, `statements` and `transfers` theirs; `typed` has the
    statements with a field or an object type as static operand, and that. `trees` are the
    dominator trees of the functions. `uses` has the uses in members and in all other reachable continuations.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.members = [*program.members()]
        self.statements = [*program.statements()]
        self.typed = [
            (each, each.of) for each in self.statements if each.of is not None and not isinstance(each.of, Foreign)
        ]
        self.transfers = [member.transfer for member in self.members if member.transfer]
        self.trees = [DominatorTree(function) for function in program.functions]
        reached = chain.from_iterable(tree.children for tree in self.trees)
        self.uses = {member: _uses_in(member) for member in dict.fromkeys(chain(self.members, reached))}

        self._used: dict[type, list[Any]] = {Constant: [], Data: [], Function: []}
        for member in self.members:
            self._note_uses(member)

    def used(self, kind: type[Used]) -> list[tuple[User, Used]]:
        """Each use of a constant, data or function in members, with its user. A call uses its callee."""
        return self._used[kind]

    def _note_uses(self, member: Continuation) -> None:
        used, call = self._used, member.transfer
        for user, values in self.uses[member]:
            for value in values:
                if type(value) in used:
                    used[type(value)].append((user, value))
        if isinstance(call, Call) and type(call.callee) in used and call.pointer is None:
            used[type(call.callee)].append((call, call.callee))


def _uses_in(member: Continuation) -> Uses:
    uses: Uses = [(statement, statement.operands) for statement in member.body]
    return [*uses, (member.transfer, member.transfer.uses)] if member.transfer else uses


def function_names_are_distinct(subject: Subject) -> Iterator[Diagnostic]:
    """No two functions have the same name, nor data."""
    first: dict[str, Data | Function] = {}
    for each in subject.program.globals:
        if each.name in first:
            kind = "function" if isinstance(each, Function) else "item"
            message = f"there is more than one {kind} `{each.name}`"
            yield error(message, each.span, notes=[("the first one is here", first[each.name].span)])
        first.setdefault(each.name, each)


def functions_belong_to_the_program(subject: Subject) -> Iterator[Diagnostic]:
    """A function that is called or used as a value, and data used as a value, belong to the program."""
    known = set(subject.program.globals)
    for user, value in subject.used(Function):
        if value not in known:
            yield error(f"`{value.name}` is not a function of this program", user.span)
    for statement_or_transfer, data in subject.used(Data):
        if data not in known:
            yield error(f"`{data.name}` is not part of this program", statement_or_transfer.span)
    for data in subject.program.data:
        for target, _ in data.addresses.values():
            if target not in known:
                yield error(f"`{target.name}` in `{data.name}` is not part of this program", data.span)


def nested_functions_are_called(subject: Subject) -> Iterator[Diagnostic]:
    """A function with free values is called by a function around it, and not used in any other way."""
    if not subject.program.has_nested_functions:
        return
    from cpsconv.core.analysis.nesting import uncalled_functions  # imported late: few programs need it

    for function in uncalled_functions(subject.program):
        name = function.free[0].name or function.free[0].type
        message = f"`{function.name}` uses the value `{name}` of another function, which does not call it"
        yield error(message, function.span)
    for user, function in subject.used(Function):
        called = isinstance(user, Call) and user.callee is function and function not in user.uses
        if function.free and not called:
            yield error(f"`{function.name}`, a nested function, can only be called", user.span)
    for data in subject.program.data:
        for target, _ in data.addresses.values():
            if isinstance(target, Function) and target.free:
                yield error(f"`{target.name}`, a nested function, has no address for `{data.name}`", data.span)


def continuations_have_transfers(subject: Subject) -> Iterator[Diagnostic]:
    """Each continuation ends with a transfer."""
    for member in subject.members:
        if member.transfer is None:
            yield error(f"`{member.name}` does not end with a transfer", member.span)


def listed_continuations_are_reachable(subject: Subject) -> Iterator[Diagnostic]:
    """A function lists no unreachable continuation."""
    for tree in subject.trees:
        for member in tree.function.continuations:
            if member not in tree.children:
                yield error(f"`{member.name}` cannot be reached from `{tree.function.name}`", member.span)


def reachable_continuations_are_listed(subject: Subject) -> Iterator[Diagnostic]:
    """A function lists each of its reachable continuations."""
    for tree in subject.trees:
        listed = set(tree.function.members())
        for member in tree.children:
            if member not in listed:
                message = f"`{member.name}` is used in `{tree.function.name}`, but does not belong to it"
                yield error(message, member.span)


def values_are_defined_once(subject: Subject) -> Iterator[Diagnostic]:
    """No parameter, statement or continuation occurs in two places."""
    defined = [value for member in subject.members for value in (member, *member.parameters, *member.body)]
    seen: set[Value] = set()
    for value in defined if len(set(defined)) < len(defined) else ():
        if value in seen:
            yield error(f"`{value.name or value.type}` is defined twice", value.span)
        seen.add(value)


CHECKS: tuple[tuple[str, Callable[[Subject], Iterator[Diagnostic]]], ...] = (
    ("redefined", function_names_are_distinct),
    ("undefined-function", functions_belong_to_the_program),
    ("nested-function", nested_functions_are_called),
    ("missing-transfer", continuations_have_transfers),
    ("unreachable", listed_continuations_are_reachable),
    ("unlisted", reachable_continuations_are_listed),
    ("redefined", values_are_defined_once),
)
"""The checks of form, each with the rule that its errors violate. Each accepts any program, even malformed."""
