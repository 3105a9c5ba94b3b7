"""Which values of a program may be undefined at run time: what an `Undef` can come to.

An undefined value may be moved around and only its use is a fault (`cpsconv.faults`), so a target whose own values
are always there has to carry along whether one is. Most programs need none of this, and in the others few values do:
those that an `Undef` reaches along arguments of edges and calls and along what functions return. What an operation
gives is always defined. This takes time proportional to the size of the program, which must be first-order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Union

from cpsconv.ir import Call, Continuation, ContinuationType, Function, Parameter, Program, Target, Undef, Value

Place = Union[Parameter, "tuple[Function, int]"]
"""Where a value arrives: at a parameter, or as what a function returns, by its index."""


def may_be_undefined(program: Program) -> set[Place]:
    """The places at which an undefined value may arrive."""
    receivers: dict[Value | Place, list[Place]] = defaultdict(list)
    for source, place in _flows(program):
        receivers[source].append(place)
    pending: list[Value | Place] = [source for source in receivers if isinstance(source, Undef)]
    found: set[Place] = set()
    for source in pending:  # grows underway
        for place in receivers.get(source, ()):
            if place not in found:
                found.add(place)
                pending.append(place)
    return found


def _flows(program: Program) -> Iterator[tuple[Value | Place, Place]]:
    """Every value that is passed on, with where it arrives."""
    for function in program.functions:
        for member in function.members():
            transfer = member.transfer
            for edge in transfer.edges if transfer else ():
                yield from zip(edge.arguments, _places(function, edge.target), strict=False)
            if isinstance(transfer, Call):
                yield from zip(transfer.arguments, transfer.callee.parameters, strict=False)
                for index, place in enumerate(_places(function, transfer.then.target)):
                    yield (transfer.callee, index), place


def _places(function: Function, target: Target) -> Sequence[Place]:
    """Where the arguments of an edge in `function` arrive; nowhere, if the outside world takes them."""
    if isinstance(target, Continuation):
        return target.parameters
    if function.parameters and target is function.parameters[-1]:
        assert isinstance(target.type, ContinuationType)
        return [(function, index) for index in range(len(target.type.parameters))]
    return ()
