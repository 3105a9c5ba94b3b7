"""The continuations of a function as a graph.

There are two graphs. Arguments flow along *edges* (`incoming`). *References* lead from a continuation to the targets of
its edges and to the continuations that it passes as values (`successors`). Scope and dominance follow references: a
continuation that is passed as a value may be entered from elsewhere, but only after it was passed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeGuard, TypeVar

from cpsconv.core.ir import (
    Branch,
    Call,
    Continuation,
    Data,
    Edge,
    ForeignTransfer,
    Function,
    Jump,
    Program,
    Switch,
    Transfer,
    Value,
)

Node = TypeVar("Node", bound=Hashable)


def is_local(value: Value) -> TypeGuard[Continuation]:
    """Whether the value is a continuation of a function. Functions, externals and parameters are not local."""
    return type(value) is Continuation


def local_target(edge: Edge) -> Continuation | None:
    """The continuation of the same function that the edge leads to; None if the edge leaves the function."""
    return edge.target if is_local(edge.target) else None


def successors(continuation: Continuation) -> list[Continuation]:
    """The local continuations that `continuation` references, in order, with repetitions.

    Functions are not local. A continuation without a transfer has no successors.
    """
    transfer = continuation.transfer
    return [value for value in transfer.uses if type(value) is Continuation] if transfer else []  # `is_local`, inlined


def transfer_uses(continuation: Continuation) -> Sequence[Value]:
    """The uses of the transfer of `continuation`: its operands, then target and arguments of each edge."""
    return continuation.transfer.uses if continuation.transfer else ()


def uses(continuation: Continuation) -> list[Value]:
    """The values that the statements and the transfer of `continuation` use, with repetitions."""
    used = [value for statement in continuation.body for value in statement.operands]
    if continuation.transfer:
        used += continuation.transfer.uses
    return used


def functions_used(function: Function) -> Iterator[Function]:
    """The functions that `function` calls or uses as values, with repetitions."""
    for member in function.members():
        if isinstance(member.transfer, Call) and member.transfer.pointer is None:
            yield member.transfer.callee
        yield from (value for value in uses(member) if isinstance(value, Function))


def addressed_functions(program: Program) -> list[Function]:
    """The functions and external functions whose addresses are taken, by data or statements, in the order of uses."""
    found: dict[Data | Function, None] = {
        target: None for data in program.data for target, _ in data.addresses.values()
    }
    for statement in program.statements():
        found |= {operand: None for operand in statement.operands if isinstance(operand, Function)}
    return [each for each in found if isinstance(each, Function)]


def count_uses(function: Function) -> Counter[Value]:
    """The number of uses of each value in `function`."""
    return Counter(chain.from_iterable(map(uses, function.members())))


def incoming(function: Function) -> dict[Continuation, list[tuple[Continuation, Edge]]]:
    """For each continuation of the function, the edges to it, each with its source."""
    edges: dict[Continuation, list[tuple[Continuation, Edge]]] = {member: [] for member in function.continuations}
    for member in function.members():
        for edge in member.transfer.edges if member.transfer else ():
            if isinstance(edge.target, Continuation) and edge.target in edges:
                edges[edge.target].append((member, edge))
    return edges


def depth_first(
    roots: Iterable[Node], neighbours: Callable[[Node], Iterable[Node]]
) -> Iterator[tuple[Node, Node | None]]:
    """The nodes reachable from `roots`, in depth-first preorder, each with its parent in the search."""
    parents: list[tuple[Node, Node | None]] = [(root, None) for root in roots]
    parents.reverse()
    seen: set[Node] = set()
    while parents:
        node, parent = parents.pop()
        if node not in seen:
            seen.add(node)
            yield node, parent
            for neighbour in reversed([*neighbours(node)]):
                if neighbour not in seen:
                    parents.append((neighbour, node))


def reachable(function: Function) -> list[Continuation]:
    """The function and its reachable continuations, in depth-first preorder."""
    root: list[Continuation] = [function]
    return [member for member, _ in depth_first(root, successors)]


def reverse_postorder(function: Function) -> list[Continuation]:
    """The function and its reachable continuations, in reverse postorder."""
    root: Continuation = function
    return reverse_postorder_from(root, successors)


def reverse_postorder_from(root: Node, neighbours: Callable[[Node], Sequence[Node]]) -> list[Node]:
    """The nodes reachable from `root`, in reverse postorder: each before its neighbours, except along back edges."""
    order: list[Node] = []
    seen: set[Node] = {root}
    path: list[tuple[Node, Iterator[Node]]] = [(root, reversed(neighbours(root)))]
    while path:
        node, pending = path[-1]
        for following in pending:
            if following not in seen:
                seen.add(following)
                path.append((following, reversed(neighbours(following))))
                break
        else:
            order.append(node)
            path.pop()
    order.reverse()
    return order


def replace_in_transfer(transfer: Transfer, replace: Callable[[Value], Value]) -> None:
    """Replace every operand and argument of the transfer by ``replace(value)``; keep its targets."""
    if isinstance(transfer, Branch):
        transfer.condition = replace(transfer.condition)
    elif isinstance(transfer, Switch):
        transfer.value = replace(transfer.value)
    elif isinstance(transfer, Call):
        transfer.arguments = [*map(replace, transfer.arguments)]
        if transfer.pointer is not None:
            transfer.pointer = replace(transfer.pointer)
    elif isinstance(transfer, ForeignTransfer):
        transfer.values = [*map(replace, transfer.values)]
    for edge in transfer.edges:
        if edge.arguments:
            edge.arguments = [*map(replace, edge.arguments)]


def only_returns(member: Continuation | None, function: Function) -> bool:
    """Whether a continuation does nothing but return its arguments."""
    if member is None or member.body or not isinstance(member.transfer, Jump):
        return False
    edge = member.transfer.edge
    return edge.target is function.return_continuation and edge.arguments == member.parameters
