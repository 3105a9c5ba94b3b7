"""The flow of values from arguments to parameters."""

from __future__ import annotations

from cpsconv.core.ir import Continuation, Edge, Function, Parameter, Target, Value

ParameterEdges = dict[Parameter, "tuple[int, list[tuple[Continuation, Edge]]]"]
"""For each parameter whose arguments are all known: its position in the argument lists, and the edges to its
continuation, each with its source.
"""

ParameterArguments = dict[Parameter, list[Value]]
"""For each parameter whose arguments are all known: its arguments, one for each edge."""


def parameter_edges(function: Function) -> ParameterEdges:
    """The parameters of all continuations that are only entered by edges with arguments.

    These exclude functions, return continuations of calls, and continuations that are passed as values.
    """
    taking = [member for member in function.continuations if member.parameters]
    if not taking:
        return {}
    edges: dict[Target, list[tuple[Continuation, Edge]]] = {member: [] for member in taking}
    passed: list[Value] = []
    for member in function.members():
        if transfer := member.transfer:
            passed += transfer.operands
            for edge in transfer.edges:
                if edge.arguments:
                    passed += edge.arguments
                if edge.target in edges:
                    edges[edge.target].append((member, edge))
    escaping = {value for value in passed if isinstance(value, Continuation)}
    found: ParameterEdges = {}
    for member in taking:
        count, leading = len(member.parameters), edges[member]
        if member not in escaping and all(len(edge.arguments) == count for _, edge in leading):
            found.update((parameter, (index, leading)) for index, parameter in enumerate(member.parameters))
    return found


def parameter_arguments(function: Function) -> ParameterArguments:
    """The arguments of the parameters in `parameter_edges`."""
    return {
        parameter: [edge.arguments[index] for _, edge in edges]
        for parameter, (index, edges) in parameter_edges(function).items()
    }


def escaping_continuations(member: Continuation) -> list[Continuation]:
    """The continuations that `member` passes as values. They may be entered elsewhere, with unknown arguments."""
    if member.transfer is None:
        return []
    passed = [*member.transfer.operands]
    for edge in member.transfer.edges:
        passed += edge.arguments
    return [value for value in passed if isinstance(value, Continuation)]
