"""Two paths through a graph that share only their ends.

By Menger's theorem, either there are two such paths, or some other node is on every path. The paths are found as a
flow of two units (Ford and Fulkerson): the second path may cancel parts of the first one. The time is linear in the
size of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import pairwise
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
Neighbours = Callable[[Node], Iterable[Node]]


def two_disjoint_paths(start: Node, goal: Node, neighbours: Neighbours[Node]) -> tuple[list[Node], list[Node]] | None:
    """Two paths from `start` to `goal` that share no other node, or None if there are none.

    `start` and `goal` must differ and must not be neighbours.
    """
    first = shortest_path(start, goal, neighbours)
    if first is None:
        return None
    second = shortest_path((start, False), (goal, False), _residual(first, neighbours))
    if second is None:
        return None
    links = dict.fromkeys(pairwise(first))
    for (node, entered), (following, _) in pairwise(second):
        if entered:
            del links[following, node]
        elif node != following:
            links[node, following] = None
    return _two_chains(start, goal, links)


def shortest_path(start: Node, goal: Node, neighbours: Neighbours[Node]) -> list[Node] | None:
    """A path with as few nodes as possible, both ends included; None if there is no path."""
    came_from: dict[Node, Node] = {start: start}
    pending = [start]
    for node in pending:  # appended to during iteration
        if node == goal:
            path = [goal]
            while path[-1] != start:
                path.append(came_from[path[-1]])
            return path[::-1]
        for neighbour in neighbours(node):
            if neighbour not in came_from:
                came_from[neighbour] = node
                pending.append(neighbour)
    return None


def _residual(first: list[Node], neighbours: Neighbours[Node]) -> Neighbours[tuple[Node, bool]]:
    """The residual graph for the second path.

    Each node of the first path is split. A path that *entered* such a node from another one can only go back along the
    first path, which cancels that link; from the previous node it can continue anywhere.
    """
    before = {following: node for node, following in pairwise(first[:-1])}
    taken = set(pairwise(first))

    def moves(state: tuple[Node, bool]) -> Iterator[tuple[Node, bool]]:
        node, entered = state
        if entered:
            yield before[node], False
            return
        if node in before:
            yield node, True
        for neighbour in neighbours(node):
            if (node, neighbour) not in taken:
                yield neighbour, neighbour in before

    return moves


def _two_chains(start: Node, goal: Node, links: Iterable[tuple[Node, Node]]) -> tuple[list[Node], list[Node]]:
    following: dict[Node, list[Node]] = {}
    for node, next in links:
        following.setdefault(node, []).append(next)
    one, other = ([start, node] for node in following[start])
    for chain in one, other:
        while chain[-1] != goal:
            chain += following[chain[-1]]
    return one, other
