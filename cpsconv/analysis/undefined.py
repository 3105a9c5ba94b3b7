"""Which parameters may hold the value of a variable that nothing was assigned to.

A conservative answer for a whole program, in linear time. Values flow from arguments to parameters. What a continuation
stands for as a node is *what it is called with*: that flows on to its parameters. What a function returns is what its
return continuation is called with, so that flows to where its calls go on. Who else is called through a parameter is
not followed: all of these calls flow to `_ANYWHERE`, and from there to each continuation that is passed as a value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from cpsconv.analysis.graph import depth_first
from cpsconv.ir import (
    Call,
    Continuation,
    ContinuationType,
    Edge,
    External,
    Function,
    Program,
    Undef,
    Value,
)

Flow = tuple[Value, Value]

_ANYWHERE = External("anywhere", ContinuationType(()))


def may_be_undefined(program: Program) -> set[Value]:
    """The parameters that may be undefined when the program runs, and the undefined values that are passed to some."""
    flows: dict[Value, list[Value]] = defaultdict(list)
    for function in program.functions:
        for source, sink in _flows_of(function):
            flows[source].append(sink)
    undefined: list[Value] = [value for value in flows if isinstance(value, Undef)]
    reached = depth_first(undefined, lambda value: flows.get(value, []))
    return {value for value, _ in reached if not _is_continuation(value)}


def _flows_of(function: Function) -> Iterator[Flow]:
    for member in function.members():
        for parameter in member.parameters:
            if not _is_continuation(parameter):
                yield member, parameter
            elif not (member is function and parameter is function.parameters[-1]):
                yield parameter, _ANYWHERE
        transfer = member.transfer
        assert transfer is not None, f"{member.name} is under construction"
        if isinstance(transfer, Call):
            yield from _passed(transfer.arguments, transfer.callee.parameters[:-1])
            yield transfer.callee.ret, transfer.then.target
        else:
            for edge in transfer.edges:
                yield from _along(edge)


def _along(edge: Edge) -> Iterator[Flow]:
    """What flows along an edge with arguments."""
    target = edge.target
    if isinstance(target, Continuation):
        yield from _passed(edge.arguments, target.parameters)
        yield from _returned_anywhere(target)
    else:
        yield from _passed(edge.arguments, [target] * len(edge.arguments))


def _passed(arguments: Sequence[Value], sinks: Sequence[Value]) -> Iterator[Flow]:
    """What flows when arguments are passed. One that is a continuation may then be called from anywhere."""
    for argument, sink in zip(arguments, sinks, strict=True):
        if _is_continuation(argument):
            yield _ANYWHERE, argument
            yield from _returned_anywhere(argument)
        else:
            yield argument, sink


def _returned_anywhere(value: Value) -> Iterator[Flow]:
    """What flows where a function is entered otherwise than by a `Call`."""
    if isinstance(value, Function) and value.parameters:
        yield value.parameters[-1], _ANYWHERE


def _is_continuation(value: Value) -> bool:
    return isinstance(value.type, ContinuationType)
