"""Warnings of endless recursion, found in the finished program."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from cpsconv.analysis.graph import depth_first, successors
from cpsconv.analysis.scc import strongly_connected_components
from cpsconv.frontends.c.diagnostics import Errors
from cpsconv.ir import Call, Continuation, Function, Program


def warn_of_recursion(program: Program, errors: Errors) -> None:
    """Warn of functions that call themselves or each other on every path. There is one warning for each such set."""
    defined = {*program.functions}
    callees = {
        function: [call.callee for call in _calls(function) if call.callee in defined] for function in program.functions
    }
    order = {function: number for number, function in enumerate(program.functions)}
    callers: dict[Function, list[Function]] = {function: [] for function in callees}
    for function, called in callees.items():
        for callee in called:
            callers[callee].append(function)
    for component in strongly_connected_components(callees, callees.__getitem__):
        endless = {function for function in component if len(component) > 1 or function in callees[function]}
        pending = [*endless]
        while pending:
            function = pending.pop()
            if function in endless and _may_end(function, endless):
                endless.remove(function)
                pending += callers[function]
        first = min(endless, key=order.__getitem__, default=None)
        if first:
            assert first.span
            call = next(call for call in _calls(first) if call.callee in endless)
            message = f"endless recursion: each call of `{first.name}` leads to another one"
            notes = [(f"`{call.callee.name}` is called here, for example", call.span)]
            errors.warn("infinite-recursion", message, first.span, notes=notes)


def _calls(function: Function) -> Iterator[Call]:
    return (member.transfer for member in function.members() if isinstance(member.transfer, Call))


def _may_end(function: Function, endless: Collection[Function]) -> bool:
    """Whether a path without calls of `endless` functions leads to a return, or to the end of the program."""

    def following(member: Continuation) -> list[Continuation]:
        return [] if _calls_one_of(endless, member) else successors(member)

    entry: Continuation = function
    reached = [member for member, _ in depth_first([entry], following) if not _calls_one_of(endless, member)]
    edges = [edge for member in reached if member.transfer for edge in member.transfer.edges]
    return any(not isinstance(edge.target, Continuation) for edge in edges)


def _calls_one_of(functions: Collection[Function], member: Continuation) -> bool:
    return isinstance(member.transfer, Call) and member.transfer.callee in functions
