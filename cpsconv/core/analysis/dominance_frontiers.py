"""Dominance frontiers, of single nodes and iterated.

The *dominance frontier* of a node is the set of nodes that it does not strictly dominate, although it dominates one of
their predecessors. The *iterated* frontier of a set of nodes is the least set that contains the frontiers of the nodes
and of its own members.

`Frontiers` follows Sreedhar and Gao, *A Linear Time Algorithm for Placing φ-Nodes* (POPL 1995): it does not
compute the frontiers of single nodes, whose total size may be quadratic. `frontiers` computes them, for pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Generic

from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.analysis.graph import Node


def frontiers(tree: Dominance[Node], successors: Callable[[Node], Sequence[Node]]) -> dict[Node, list[Node]]:
    """The dominance frontier of each node, in preorder of the tree.

    The target of an edge is in the frontiers of the source and its dominators, up to the target's immediate dominator.
    """
    found: dict[Node, dict[Node, None]] = {node: {} for node in tree.preorder()}
    for source in found:
        for target in successors(source):
            node = source
            while node is not tree.parent.get(target):
                found[node][target] = None
                if node is tree.root:
                    break
                node = tree.parent[node]
    return {node: [*targets] for node, targets in found.items()}


class Frontiers(Generic[Node]):
    """Computes iterated frontiers in one graph, each in O(edges · log nodes). `visits` counts the visited nodes."""

    def __init__(self, tree: Dominance[Node], successors: Mapping[Node, Sequence[Node]]) -> None:
        self.visits = 0
        self._tree = tree
        self._successors = successors
        self._number: dict[Node, int] = {}  # in preorder of the tree
        self._depth: dict[Node, int] = {}
        for number, node in enumerate(tree.preorder()):
            self._number[node] = number
            self._depth[node] = self._depth[tree.parent[node]] + 1 if number else 0

    def iterated(self, sources: Collection[Node], within: Container[Node]) -> list[Node]:
        """The iterated frontier of `sources`, restricted to the nodes `within`.

        The deepest sources are processed first. Sources below a processed one are then complete, so each subtree is
        walked only once.
        """
        found: dict[Node, None] = {}
        walked: set[Node] = set()
        queue = [self._entry(source) for source in sources]
        heapify(queue)
        while queue:
            depth, _, source = heappop(queue)
            for node in self._border(source, -depth, walked):
                if node in within and node not in found:
                    found[node] = None
                    if node not in sources:
                        heappush(queue, self._entry(node))
        self.visits += len(walked)
        return list(found)

    def _entry(self, node: Node) -> tuple[int, int, Node]:
        return -self._depth[node], self._number[node], node

    def _border(self, source: Node, depth: int, walked: set[Node]) -> list[Node]:
        """The targets of edges that leave the subtree of `source`, without the parts `walked` before.

        The target of an edge that leaves the subtree is at most as deep as the subtree's root.
        """
        border = []
        pending = [source]
        walked.add(source)
        while pending:
            node = pending.pop()
            border += [successor for successor in self._successors[node] if self._depth[successor] <= depth]
            for child in self._tree.children[node]:
                if child not in walked:
                    walked.add(child)
                    pending.append(child)
        return border
