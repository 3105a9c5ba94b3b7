"""Undefined values: the parameters that may receive the value of an unassigned variable.

A conservative analysis of a whole program, in linear time. Values flow from arguments to *places*: the parameters of a
known continuation, or the arguments of calls through a parameter. The arguments of a function's return continuation
flow to the parameters of the return continuations of its calls. The default values of loads flow to their results.
Other calls through parameters are not distinguished: their arguments flow to `ANYWHERE`, and from there to every
continuation that is passed as a value. So either all continuations passed as values may receive undefined values, or
none.

Calls through pointers are distinguished by type: all functions of one type whose addresses are taken, and all such
calls, have the same places.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Union

from cpsconv.core.analysis.graph import addressed_functions, depth_first
from cpsconv.core.ir import Call, Continuation, ContinuationType, External, Function, Program, Type, Undef, Value
from cpsconv.core.operations.table import LOAD_OR

Place = Union[Value, "tuple[Value, int]", "tuple[ContinuationType, int]"]
"""A parameter; or a continuation that is a parameter, with the index of an argument; or an `Undef`; or a `LOAD_OR`.

A type with an index is a parameter of all functions of that type whose addresses are taken, or a result if negative.
"""

Flow = tuple[Place, Place]

ANYWHERE: Place = External("anywhere", ContinuationType(()))
"""The arguments of all calls through parameters, except those of return continuations of called functions."""


def may_be_undefined(program: Program) -> set[Place]:
    """The places that undefined values may reach when the program runs, and the undefined values passed to places."""
    flows: dict[Place, list[Place]] = defaultdict(list)
    for function in program.functions:
        for source, sink in _flows_of(function):
            flows[source].append(sink)
    for function in addressed_functions(program):
        for source, sink in _by_type(function):
            flows[source].append(sink)
    undefined: list[Place] = [place for place in flows if isinstance(place, Undef)]
    return {place for place, _ in depth_first(undefined, lambda place: flows.get(place, []))}


def _flows_of(function: Function) -> Iterator[Flow]:
    for member in function.members():
        yield from ((each.operands[1], each) for each in member.body if each.op == LOAD_OR)
        for parameter in member.parameters:
            if not (member is function and parameter is function.parameters[-1]):
                yield from _to_anywhere(parameter)
                yield from _from_anywhere(parameter)
        transfer = member.transfer
        assert transfer is not None, f"{member.name} is under construction"
        if isinstance(transfer, Call):
            yield from _passed(transfer.arguments, _places(transfer.callee))
            yield from zip(_places(transfer.callee.ret), _places(transfer.then.target), strict=True)
            if transfer.pointer is not None and transfer.addressed is None:
                yield from _by_type(transfer.callee)
        else:
            for edge in transfer.edges:
                yield from _passed(edge.arguments, _places(edge.target))
        for edge in transfer.edges:
            yield from _returned_anywhere(edge.target)


def _passed(arguments: Sequence[Value], sinks: Sequence[Place]) -> Iterator[Flow]:
    """The flows of arguments to `sinks`. A continuation passed as an argument may be called from anywhere."""
    yield from zip((argument for argument in arguments if not _is_continuation(argument.type)), sinks, strict=True)
    for argument in arguments:
        if _is_continuation(argument.type):
            yield from _from_anywhere(argument)
            yield from _returned_anywhere(argument)


def _by_type(function: Function) -> Iterator[Flow]:
    """The flows, in both directions, between the places of a function that is called through pointers and its type."""
    places = [(place, index) for index, place in enumerate(_places(function))]
    if function.return_continuation:
        places += [(place, -1 - index) for index, place in enumerate(_places(function.ret))]
    for place, index in places:
        shared = function.type, index
        yield place, shared
        yield shared, place


def _returned_anywhere(value: Value) -> Iterator[Flow]:
    """The flows of results if a function is entered other than by a `Call`."""
    if isinstance(value, Function) and value.parameters:
        yield from _to_anywhere(value.parameters[-1])


def _to_anywhere(parameter: Value) -> Iterator[Flow]:
    """The flows of calls through the parameter."""
    return ((place, ANYWHERE) for place in _places(parameter))


def _from_anywhere(continuation: Value) -> Iterator[Flow]:
    """The flows to a continuation that may be called through any parameter."""
    return ((ANYWHERE, place) for place in _places(continuation))


def _places(value: Value) -> list[Place]:
    """The places of the data arguments of `value`; none if it is no continuation."""
    if isinstance(value, Continuation):
        return [parameter for parameter in value.parameters if not _is_continuation(parameter.type)]
    if isinstance(value.type, ContinuationType):
        return [(value, index) for index, type in enumerate(value.type.parameters) if not _is_continuation(type)]
    return []


def _is_continuation(type: Type) -> bool:
    return isinstance(type, ContinuationType)
