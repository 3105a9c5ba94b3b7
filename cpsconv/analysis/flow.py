"""How values flow: from where they are passed along an edge to the parameter that receives them."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.analysis.graph import incoming
from cpsconv.ir import Continuation, Edge, Function, Parameter, Value

Received = dict[Parameter, "tuple[int, list[tuple[Continuation, Edge]]]"]
"""For each parameter of which all arguments are known, the position that they have in the edges to its continuation,
and those edges, each with where it starts.
"""

Arguments = dict[Parameter, list[Value]]
"""For each such parameter its arguments, one for each edge."""


def received(function: Function) -> Received:
    """The parameters of the continuations that are entered by edges with arguments only.

    That leaves out what somebody else supplies: to functions, to return continuations, to continuations passed on.
    """
    passed = {value for member in function.members() for value in passed_on(member)}
    found: Received = {}
    for member, edges in incoming(function).items():
        count = len(member.parameters)
        if member not in passed and all(len(edge.arguments) == count for _, edge in edges):
            found.update((parameter, (index, edges)) for index, parameter in enumerate(member.parameters))
    return found


def arguments(function: Function) -> Arguments:
    """What the parameters of `received` receive."""
    return {
        parameter: [edge.arguments[index] for _, edge in edges]
        for parameter, (index, edges) in received(function).items()
    }


def passed_on(member: Continuation) -> Iterator[Continuation]:
    """The continuations that `member` passes as values: who gets them can enter them, with arguments unknown here."""
    if member.transfer:
        passed = (member.transfer.operands, *(edge.arguments for edge in member.transfer.edges))
        yield from (value for values in passed for value in values if isinstance(value, Continuation))
