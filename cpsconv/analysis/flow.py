"""How values flow: from where they are passed along an edge to the parameter that receives them."""

from __future__ import annotations

from cpsconv.ir import Continuation, Edge, Function, Parameter, Target, Value

ParameterEdges = dict[Parameter, "tuple[int, list[tuple[Continuation, Edge]]]"]
"""For each parameter of which all arguments are known, the position that they have in the edges to its continuation,
and those edges, each with where it starts.
"""

ParameterArguments = dict[Parameter, list[Value]]
"""For each such parameter its arguments, one for each edge."""


def parameter_edges(function: Function) -> ParameterEdges:
    """The parameters of the continuations that are entered by edges with arguments only.

    That leaves out what somebody else supplies: to functions, to return continuations, to continuations passed on.
    """
    taking = [member for member in function.continuations if member.parameters]
    edges: dict[Target, list[tuple[Continuation, Edge]]] = {member: [] for member in taking}
    passed: set[Value] = set()
    for member in function.members() if taking else ():
        if member.transfer:
            passed.update(member.transfer.operands)
            for edge in member.transfer.edges:
                passed.update(edge.arguments)
                if edge.target in edges:
                    edges[edge.target].append((member, edge))
    found: ParameterEdges = {}
    for member in taking:
        count, leading = len(member.parameters), edges[member]
        if member not in passed and all(len(edge.arguments) == count for _, edge in leading):
            found.update((parameter, (index, leading)) for index, parameter in enumerate(member.parameters))
    return found


def parameter_arguments(function: Function) -> ParameterArguments:
    """What the parameters of `parameter_edges` receive."""
    return {
        parameter: [edge.arguments[index] for _, edge in edges]
        for parameter, (index, edges) in parameter_edges(function).items()
    }


def escaping_continuations(member: Continuation) -> list[Continuation]:
    """The continuations that `member` passes as values: who gets them can enter them, with arguments unknown here."""
    if member.transfer is None:
        return []
    passed = [*member.transfer.operands]
    for edge in member.transfer.edges:
        passed += edge.arguments
    return [value for value in passed if isinstance(value, Continuation)]
