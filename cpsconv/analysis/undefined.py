"""Which parameters may hold the value of a variable that nothing was assigned to.

A conservative answer for a whole program, in linear time. Values flow from arguments to the *places* where they arrive:
the parameters of a known continuation; or, of one that is a parameter itself, what it is called with. What a function
returns is what its return continuation is called with, so that flows to where its calls go on. Who else is called
through a parameter is not followed: all of these calls flow to `ANYWHERE`, and from there to each continuation that is
passed as a value. So continuations that are passed as values take what is undefined all alike, or none of them does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Union

from cpsconv.analysis.graph import depth_first
from cpsconv.ir import (
    Call,
    Continuation,
    ContinuationType,
    External,
    Function,
    Program,
    Type,
    Undef,
    Value,
)

Place = Union[Value, "tuple[Value, int]"]
"""A parameter; or a continuation that is a parameter, and the index of what it is called with. Or an `Undef` itself."""

Flow = tuple[Place, Place]

ANYWHERE: Place = External("anywhere", ContinuationType(()))
"""What any continuation is called with through a parameter, return continuations of functions that are called apart."""


def may_be_undefined(program: Program) -> set[Place]:
    """The places that undefined values may come to when the program runs, and those that are passed to some."""
    flows: dict[Place, list[Place]] = defaultdict(list)
    for function in program.functions:
        for source, sink in _flows_of(function):
            flows[source].append(sink)
    undefined: list[Place] = [place for place in flows if isinstance(place, Undef)]
    return {place for place, _ in depth_first(undefined, lambda place: flows.get(place, []))}


def _flows_of(function: Function) -> Iterator[Flow]:
    for member in function.members():
        for parameter in member.parameters:
            if not (member is function and parameter is function.parameters[-1]):
                yield from _to_anywhere(parameter)
                yield from _from_anywhere(parameter)
        transfer = member.transfer
        assert transfer is not None, f"{member.name} is under construction"
        if isinstance(transfer, Call):
            yield from _passed(transfer.arguments, _places(transfer.callee))
            yield from zip(_places(transfer.callee.ret), _places(transfer.then.target), strict=True)
        else:
            for edge in transfer.edges:
                yield from _passed(edge.arguments, _places(edge.target))
        for edge in transfer.edges:
            yield from _returned_anywhere(edge.target)


def _passed(arguments: Sequence[Value], sinks: Sequence[Place]) -> Iterator[Flow]:
    """What flows when arguments are passed. One that is a continuation may then be called from anywhere."""
    yield from zip((argument for argument in arguments if not _is_continuation(argument.type)), sinks, strict=True)
    for argument in arguments:
        if _is_continuation(argument.type):
            yield from _from_anywhere(argument)
            yield from _returned_anywhere(argument)


def _returned_anywhere(value: Value) -> Iterator[Flow]:
    """What flows where a function is entered otherwise than by a `Call`."""
    if isinstance(value, Function) and value.parameters:
        yield from _to_anywhere(value.parameters[-1])


def _to_anywhere(parameter: Value) -> Iterator[Flow]:
    """What flows when somebody calls a continuation through that parameter."""
    return ((place, ANYWHERE) for place in _places(parameter))


def _from_anywhere(continuation: Value) -> Iterator[Flow]:
    """What flows to a continuation that may be called through any parameter."""
    return ((ANYWHERE, place) for place in _places(continuation))


def _places(value: Value) -> list[Place]:
    """Where the data arrives that `value` is called with; nowhere, if it is no continuation."""
    if isinstance(value, Continuation):
        return [parameter for parameter in value.parameters if not _is_continuation(parameter.type)]
    if isinstance(value.type, ContinuationType):
        return [(value, index) for index, type in enumerate(value.type.parameters) if not _is_continuation(type)]
    return []


def _is_continuation(type: Type) -> bool:
    return isinstance(type, ContinuationType)
