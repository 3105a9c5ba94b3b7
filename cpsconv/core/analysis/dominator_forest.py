"""Dominators of a growing graph, in which the predecessors of a new node are known."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Generic

from cpsconv.core.analysis.graph import Node


class DominatorForest(Generic[Node]):
    """A conservative dominator forest, to which nodes are added with all of their predecessors.

    A node whose predecessors have no known common dominator becomes the root of a new tree. So the forest never claims
    a dominance that later nodes refute, but may miss some.

    Besides its parent, each node has a *jump* to a higher ancestor, so that queries take logarithmic time (Myers, *An
    Applicative Random-Access Stack*, 1983).
    """

    def __init__(self) -> None:
        self._depth: dict[Node, int] = {}
        self._parent: dict[Node, Node] = {}
        self._jump: dict[Node, Node] = {}

    def add(self, node: Node, predecessors: Iterable[Node] = ()) -> None:
        """Add `node` below the nearest common dominator of its `predecessors`."""
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
        """Whether `above` is known to dominate `below`, both added before. Every node dominates itself."""
        return self._ancestor(below, self._depth[above]) == above

    def _jump_below(self, parent: Node) -> Node:
        first = self._jump[parent]
        second = self._jump[first]
        depth = self._depth
        return second if depth[parent] - depth[first] == depth[first] - depth[second] else parent

    def _ancestor(self, node: Node, depth: int) -> Node:
        """The ancestor of `node` at `depth`, or `node` itself if it is not deeper."""
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
