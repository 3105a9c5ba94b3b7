"""Dominance and dominator trees.

`a` dominates `b` if every path from the function to `b` contains `a`; the *immediate* dominator is the closest one
besides `b` itself. The immediate dominators form a tree, by which continuations nest in the text.

Lengauer and Tarjan, *A Fast Algorithm for Finding Dominators in a Flowgraph* (TOPLAS 1979), in its simple version with
path compression only, which takes O(edges · log nodes).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic

from cpsconv.core.analysis.graph import Node, successors
from cpsconv.core.ir import Continuation, Function


class Dominance(Generic[Node]):
    """The dominator tree of the nodes reachable from `root`.

    `parent` maps each node except the root to its immediate dominator; `children` maps each node to the nodes that it
    immediately dominates, in the order of `nodes`. The keys of both are in depth-first preorder.
    """

    def __init__(self, root: Node, neighbours: Callable[[Node], Sequence[Node]], nodes: Iterable[Node]) -> None:
        self.root = root
        self.parent = immediate_dominators(root, neighbours)
        self.children: dict[Node, list[Node]] = {root: [], **{node: [] for node in self.parent}}
        for node in dict.fromkeys(nodes):
            if node in self.parent:
                self.children[self.parent[node]].append(node)
        self._intervals = self._number()

    def dominates(self, above: Node, below: Node) -> bool:
        """Whether `above` dominates `below` (each node dominates itself). Both must be reachable."""
        first, last = self._intervals[above]
        return first <= self._intervals[below][0] < last

    def dominated(self, node: Node) -> range:
        """The numbers in `preorder` of the nodes that `node` dominates, starting with its own."""
        return range(*self._intervals[node])

    def preorder(self) -> list[Node]:
        """The reachable nodes, each after its dominators, with siblings in order."""
        return [*self._intervals]

    def _number(self) -> dict[Node, tuple[int, int]]:
        """The range of preorder numbers in each node's subtree; the keys are in preorder."""
        order: list[Node] = []
        pending = [self.root]
        while pending:
            order.append(pending.pop())
            pending += reversed(self.children[order[-1]])
        sizes = dict.fromkeys(order, 1)
        for node in reversed(order[1:]):
            sizes[self.parent[node]] += sizes[node]
        return {node: (number, number + size) for number, (node, size) in enumerate(sizes.items())}


class DominatorTree(Dominance[Continuation]):
    """The dominator tree of a function, the root, and its reachable continuations, with siblings in source order."""

    def __init__(self, function: Function) -> None:
        super().__init__(function, successors, function.continuations)
        self.function = function


def immediate_dominators(root: Node, neighbours: Callable[[Node], Sequence[Node]]) -> dict[Node, Node]:
    """The immediate dominators of the nodes reachable from `root`, except of `root`.

    The keys are in depth-first preorder, so each follows its dominator.
    """
    numbers: dict[Node, int] = {}
    parents: list[int] = []
    following: list[Sequence[Node]] = []
    pending = [(root, 0)]
    while pending:
        node, parent = pending.pop()
        if node not in numbers:
            number = numbers[node] = len(numbers)
            parents.append(parent)
            following.append(neighbours(node))
            for neighbour in reversed(following[-1]):
                if neighbour not in numbers:
                    pending.append((neighbour, number))
    predecessors: list[list[int]] = [[] for _ in numbers]
    for number, others in enumerate(following):
        for other in others:
            predecessors[numbers[other]].append(number)
    nodes = [*numbers]
    dominators = _lengauer_tarjan(parents, predecessors)
    return {nodes[number]: nodes[dominators[number]] for number in range(1, len(nodes))}


def _lengauer_tarjan(parents: list[int], predecessors: list[list[int]]) -> list[int]:
    """The immediate dominators; nodes are numbered in depth-first preorder."""
    count = len(parents)
    semi = list(range(count))  # semidominators known so far
    idom = parents.copy()
    pending: list[list[int]] = [[] for _ in range(count)]  # by semidominator: nodes whose dominator is not known
    forest = _Forest(semi)
    for node in range(count - 1, 0, -1):
        parent = parents[node]
        for predecessor in predecessors[node]:
            found = predecessor if predecessor < node else semi[forest.lowest(predecessor)]  # lower ones are not linked
            if found < semi[node]:
                semi[node] = found
        if semi[node] != parent:  # otherwise the parent is the dominator
            pending[semi[node]].append(node)
        forest.ancestor[node] = parent
        for other in pending[parent]:
            lowest = forest.lowest(other)
            idom[other] = lowest if semi[lowest] < parent else parent
        pending[parent].clear()
    for node in range(1, count):
        if idom[node] != semi[node]:
            idom[node] = idom[idom[node]]
    return idom


class _Forest:
    """The linked part of the depth-first tree, with compressed paths. Other nodes have no `ancestor`."""

    def __init__(self, semi: list[int]) -> None:
        self.semi = semi
        self.ancestor: list[int] = [-1] * len(semi)
        self.label = list(range(len(semi)))

    def lowest(self, node: int) -> int:
        """The node with the lowest semidominator on the linked path above `node`, without the top of the path."""
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
