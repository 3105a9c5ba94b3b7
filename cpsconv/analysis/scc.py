"""Strongly connected components: Tarjan, *Depth-First Search and Linear Graph Algorithms* (1972), without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from cpsconv.analysis.graph import Node


def strongly_connected_components(
    nodes: Iterable[Node], neighbours: Callable[[Node], Iterable[Node]]
) -> Iterator[list[Node]]:
    """The components of the graph that can be reached from `nodes`, each after those it leads to."""
    low: dict[Node, int] = {}  # of each node met: the lowest number that it is known to lead back to
    finished: set[Node] = set()
    open_nodes: list[Node] = []
    for root in nodes:
        if root in low:
            continue
        low[root] = len(low)
        open_nodes.append(root)
        path = [(root, low[root], iter(neighbours(root)))]
        while path:
            node, number, pending = path[-1]
            for neighbour in pending:
                if neighbour not in low:
                    low[neighbour] = len(low)
                    open_nodes.append(neighbour)
                    path.append((neighbour, low[neighbour], iter(neighbours(neighbour))))
                    break
                if neighbour not in finished:
                    low[node] = min(low[node], low[neighbour])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == number:
                    component = _pop_through(open_nodes, node)
                    finished.update(component)
                    yield component


def _pop_through(stack: list[Node], last: Node) -> list[Node]:
    """Take `last` and all above it off the stack."""
    component = []
    while True:
        component.append(stack.pop())
        if component[-1] == last:
            return component
