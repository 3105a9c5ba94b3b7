"""Dominators of a graph that is still growing."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import reduce
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)


class DominatorForest(Generic[Node]):
    """What is known of dominance while nodes come in one after the other, each with all of its predecessors.

    A node whose predecessors have no dominator in common that is known becomes the root of a new tree. So what the
    forest says stays true, whatever comes: it just may not say all.

    Each node has, beside its parent, a *jump* to an ancestor further up, so that a question takes logarithmic time
    (Myers, *An Applicative Random-Access Stack*, 1983).
    """

    def __init__(self) -> None:
        self._depth: dict[Node, int] = {}
        self._parent: dict[Node, Node] = {}
        self._jump: dict[Node, Node] = {}

    def add(self, node: Node, predecessors: Iterable[Node] = ()) -> None:
        """Put `node` below the nearest node that dominates all of its `predecessors`."""
        parents: list[Node | None] = [each if each in self._depth else None for each in predecessors]
        parent = reduce(self._nearest_common, parents) if parents else None
        if parent is None:
            self._depth[node] = 0
            self._parent[node] = self._jump[node] = node
        else:
            self._depth[node] = self._depth[parent] + 1
            self._parent[node] = parent
            self._jump[node] = self._jump_below(parent)

    def dominates(self, above: Node, below: Node) -> bool:
        """Whether `above` is known to dominate `below`. Both have been added; every node dominates itself."""
        return self._ancestor(below, self._depth[above]) == above

    def _jump_below(self, parent: Node) -> Node:
        first = self._jump[parent]
        second = self._jump[first]
        depth = self._depth
        return second if depth[parent] - depth[first] == depth[first] - depth[second] else parent

    def _ancestor(self, node: Node, depth: int) -> Node:
        """The ancestor of that depth; the node itself if it is not that deep."""
        while self._depth[node] > depth:
            far = self._jump[node]
            node = far if self._depth[far] >= depth else self._parent[node]
        return node

    def _nearest_common(self, one: Node | None, other: Node | None) -> Node | None:
        if one is None or other is None:
            return None
        depth = min(self._depth[one], self._depth[other])
        one, other = self._ancestor(one, depth), self._ancestor(other, depth)
        while one != other:
            if self._depth[one] == 0:
                return None
            step = self._parent if self._jump[one] == self._jump[other] else self._jump
            one, other = step[one], step[other]
        return one
