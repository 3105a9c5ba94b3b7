"""How values flow: from where they are passed along an edge to the parameter that receives them."""

from __future__ import annotations

from cpsconv.analysis.graph import count_uses, incoming
from cpsconv.ir import Continuation, Edge, Function, Parameter

Received = dict[Parameter, "tuple[int, list[tuple[Continuation, Edge]]]"]
"""For each parameter of which all arguments are known, the position that they have in the edges to its continuation,
and those edges, each with where it starts.
"""


def received(function: Function) -> Received:
    """The parameters of the continuations that are entered by edges with arguments only.

    That leaves out what somebody else supplies: to functions, to return continuations, to continuations passed on.
    """
    used = count_uses(function)
    found: Received = {}
    for member, edges in incoming(function).items():
        count = len(member.parameters)
        if len(edges) == used[member] and all(len(edge.arguments) == count for _, edge in edges):
            found.update((parameter, (index, edges)) for index, parameter in enumerate(member.parameters))
    return found
