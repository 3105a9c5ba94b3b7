"""Strongly connected components: Tarjan, *Depth-First Search and Linear Graph Algorithms* (1972), without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from cpsconv.core.analysis.graph import Node


def strongly_connected_components(
    nodes: Iterable[Node], neighbours: Callable[[Node], Iterable[Node]]
) -> Iterator[list[Node]]:
    """The components of the graph reachable from `nodes`, in reverse topological order: each after its successors."""
    low: dict[Node, int] = {}  # the lowest number of an open node known to be reachable from each visited node
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
    """Pop all nodes down to `last` from the stack."""
    component = []
    while True:
        component.append(stack.pop())
        if component[-1] == last:
            return component
