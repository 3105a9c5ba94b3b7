"""The check of explicit memory: every access takes place in the current memory.

A memory is current from the statement or parameter that gives it to the statement that changes it, or to the transfer
that passes it on. The check is a forward analysis of the memories that are current at the start of each continuation:
those that are current at the end of each predecessor, and those that are passed for its parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cpsconv.core.check.well_formedness import Subject
from cpsconv.core.ir import MEMORY, Continuation, Function, Statement, Transfer, Undef, Value
from cpsconv.core.operations.queries import accesses_memory
from cpsconv.core.operations.table import ALLOCATING, EXTEND, memory_of
from cpsconv.core.source import Diagnostic, error

Current = frozenset[Value]

_STARTS = ALLOCATING | {EXTEND}
"""The operations that state no memory if their object has a variable for memory of its own."""


def order_errors(subject: Subject) -> Iterator[Diagnostic]:
    """Every access states the current memory, and a function takes at most one."""
    for function in (*subject.program.functions, *subject.program.externals):
        if sum(parameter.type is MEMORY for parameter in function.parameters) > 1:
            yield error(f"`{function.name}` takes more than one memory", function.span)
    for statement in subject.statements:
        if accesses_memory(statement) and memory_of(statement) is None and statement.op not in _STARTS:
            help = "write `… in m`, or `m1 := m with …` for an access that changes memory"
            yield error("this access does not state its memory", statement.span, help=help)
    for tree in subject.trees:
        yield from _Order(tree.function).errors()


class _Order:
    """The analysis of one function. `before` has the memories that are current at the start of each continuation."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.before: dict[Continuation, Current] = {}
        self.members = set(function.members())

    def errors(self) -> Iterator[Diagnostic]:
        """An error for each use of a memory that is not current."""
        pending: list[Continuation] = []
        self._enter(self.function, _parameters(self.function), pending)
        for member in self.function.members():
            for value in _passed(member):  # they are entered with memories of their own only
                if isinstance(value, Continuation) and value in self.members:
                    self._enter(value, _parameters(value), pending)
        while pending:
            member = pending.pop()
            for target, current in self._after(member, []):
                self._enter(target, current, pending)
        found: list[Diagnostic] = []
        for member in self.function.members():
            if member in self.before:
                for _ in self._after(member, found):
                    pass
        yield from found

    def _enter(self, member: Continuation, current: Current, pending: list[Continuation]) -> None:
        known = self.before.get(member)
        joined = current if known is None else known & current
        if joined != known:
            self.before[member] = joined
            pending.append(member)

    def _after(self, member: Continuation, found: list[Diagnostic]) -> Iterator[tuple[Continuation, Current]]:
        """The local continuations that the member leads to, each with the memories that are current there."""
        current = set(self.before[member])

        def use(value: Value, user: Statement | Transfer) -> None:
            if value not in current and not isinstance(value, Undef):
                found.append(error(f"`{_name(value)}` is not the current memory here", user.span))

        for statement in member.body:
            memory = memory_of(statement)
            if memory is not None:
                use(memory, statement)
            if statement.type is MEMORY:
                current.discard(memory)
                current.add(statement)
        transfer = member.transfer
        if transfer is None:
            return
        passed = [value for value in transfer.operands if value.type is MEMORY]
        for value in passed:
            use(value, transfer)
        for edge in transfer.edges:
            arguments = [value for value in edge.arguments if value.type is MEMORY]
            for index, value in enumerate(arguments):
                use(value, transfer)
                if value in arguments[:index] and not isinstance(value, Undef):
                    found.append(error(f"the memory `{_name(value)}` is passed twice", transfer.span))
            target = edge.target
            if isinstance(target, Continuation) and target in self.members:
                yield target, frozenset(current.difference(passed, arguments).union(_parameters(target)))


def _parameters(member: Continuation) -> Current:
    return frozenset(parameter for parameter in member.parameters if parameter.type is MEMORY)


def _passed(member: Continuation) -> Sequence[Value]:
    """The values that the transfer passes as arguments."""
    transfer = member.transfer
    if transfer is None:
        return ()
    return [*transfer.operands, *(value for edge in transfer.edges for value in edge.arguments)]


def _name(value: Value) -> str:
    return str(getattr(value, "name", None) or "m")
