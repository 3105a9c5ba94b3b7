"""Dominance: which continuations every way to a continuation passes through.

`a` dominates `b` if every path from the function to `b` contains `a`; the *immediate* dominator is the closest one
besides `b` itself. The immediate dominators form a tree, which is how continuations nest in the text.

Lengauer and Tarjan, *A Fast Algorithm for Finding Dominators in a Flowgraph* (TOPLAS 1979), in its simple version: with
path compression alone it takes O(edges · log nodes) on every input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic

from cpsconv.analysis.graph import Node, depth_first, successors
from cpsconv.ir import Continuation, Function


class Dominance(Generic[Node]):
    """The dominator tree of the nodes that can be reached from `root`.

    `parent` maps each but the root to its immediate dominator; `children` lists, for each, those it immediately
    dominates, in the order of `nodes`.
    """

    def __init__(self, root: Node, neighbours: Callable[[Node], Iterable[Node]], nodes: Iterable[Node]) -> None:
        self.root = root
        self.parent = immediate_dominators(root, neighbours)
        self.children: dict[Node, list[Node]] = {root: [], **{node: [] for node in self.parent}}
        for node in nodes:
            if node in self.parent:
                self.children[self.parent[node]].append(node)
        self._intervals = self._number()

    def dominates(self, above: Node, below: Node) -> bool:
        """Whether `above` dominates `below` (each node dominates itself). Both must be reachable."""
        first, last = self._intervals[above]
        return first <= self._intervals[below][0] < last

    def dominated(self, node: Node) -> range:
        """The numbers in `preorder` of the nodes that `node` dominates, its own first."""
        return range(*self._intervals[node])

    def preorder(self) -> list[Node]:
        """Every reachable node after its dominators, siblings in order."""
        return [node for node, _ in depth_first([self.root], self.children.__getitem__)]

    def _number(self) -> dict[Node, tuple[int, int]]:
        """For each node the range of preorder numbers in its subtree."""
        order = self.preorder()
        sizes = dict.fromkeys(order, 1)
        for node in reversed(order[1:]):
            sizes[self.parent[node]] += sizes[node]
        return {node: (number, number + sizes[node]) for number, node in enumerate(order)}


class DominatorTree(Dominance[Continuation]):
    """The dominator tree of a function's reachable continuations, in the order of `Function.continuations`.

    The function itself is the root.
    """

    def __init__(self, function: Function) -> None:
        super().__init__(function, successors, function.continuations)


def immediate_dominators(root: Node, neighbours: Callable[[Node], Iterable[Node]]) -> dict[Node, Node]:
    """The immediate dominator of every node that can be reached from `root`, `root` itself left out."""
    search = list(depth_first([root], neighbours))
    nodes = [node for node, _ in search]
    number = {node: index for index, node in enumerate(nodes)}
    parents = [0 if parent is None else number[parent] for _, parent in search]
    predecessors: list[list[int]] = [[] for _ in nodes]
    for index, node in enumerate(nodes):
        for neighbour in neighbours(node):
            predecessors[number[neighbour]].append(index)
    return {nodes[index]: nodes[above] for index, above in enumerate(_lengauer_tarjan(parents, predecessors)) if index}


def _lengauer_tarjan(parents: list[int], predecessors: list[list[int]]) -> list[int]:
    """Immediate dominators, all nodes being named by their depth-first preorder numbers."""
    count = len(parents)
    semi = list(range(count))  # semidominators, as far as they are known
    idom = [0] * count
    pending: list[list[int]] = [[] for _ in range(count)]  # by semidominator: nodes whose dominator is not known
    forest = _Forest(semi)
    for node in range(count - 1, 0, -1):
        for predecessor in predecessors[node]:
            semi[node] = min(semi[node], semi[forest.lowest(predecessor)])
        pending[semi[node]].append(node)
        parent = parents[node]
        forest.link(parent, node)
        for other in pending[parent]:
            lowest = forest.lowest(other)
            idom[other] = lowest if semi[lowest] < parent else parent
        pending[parent].clear()
    for node in range(1, count):
        if idom[node] != semi[node]:
            idom[node] = idom[idom[node]]
    return idom


class _Forest:
    """The part of the depth-first tree that has been linked, with compressed paths."""

    def __init__(self, semi: list[int]) -> None:
        self.semi = semi
        self.ancestor: list[int] = [-1] * len(semi)
        self.label = list(range(len(semi)))

    def link(self, parent: int, node: int) -> None:
        self.ancestor[node] = parent

    def lowest(self, node: int) -> int:
        """The node of lowest semidominator on the linked path above `node`, its top left out."""
        ancestor, label, semi = self.ancestor, self.label, self.semi
        if ancestor[node] < 0:
            return node
        path = []
        while ancestor[ancestor[node]] >= 0:
            path.append(node)
            node = ancestor[node]
        for below in reversed(path):
            above = ancestor[below]
            if semi[label[above]] < semi[label[below]]:
                label[below] = label[above]
            ancestor[below] = ancestor[above]
        return label[path[0] if path else node]
