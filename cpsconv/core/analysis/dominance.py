"""Dominance and dominator trees.

`a` dominates `b` if every path from the function to `b` contains `a`; the *immediate* dominator is the closest one
besides `b` itself. The immediate dominators form a tree, by which continuations nest in the text. A value can be used
where its definition dominates the use (`Scope`).

Lengauer and Tarjan, *A Fast Algorithm for Finding Dominators in a Flowgraph* (TOPLAS 1979), in its simple version with
path compression only, which takes O(edges · log nodes).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Generic

from cpsconv.core.analysis.graph import Node, successors
from cpsconv.core.ir import Continuation, Effect, Function, Parameter, Primitive, Value


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


# ------------------------------------------------------------------------------------------------- growing graphs


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


# --------------------------------------------------------------------------------------------------------- scopes

Place = tuple[Continuation, int]
"""A continuation and the index of the statement that follows the place. The transfer follows the last statement."""

DEFINED = (Parameter, Primitive, Effect)
"""The classes of values with a definition in a function."""


class Scope:
    """The places where the values of a function can be used. `tree` is its dominator tree."""

    def __init__(self, tree: DominatorTree) -> None:
        self.tree = tree
        self._definitions = _definitions(tree.function)
        self._definitions.update((value, (tree.function, 0)) for value in tree.function.free)

    def dominates(self, above: Place, below: Place) -> bool:
        """Whether every path to `below` passes `above`, or both are the same place."""
        if above[0] is below[0]:
            return above[1] <= below[1]
        return above[0] in self.tree.children and self.tree.dominates(above[0], below[0])

    def error_of(self, value: Value, use: Place) -> str | None:
        """The error in a use of `value` at the reachable place `use`, or None."""
        definition = self._definitions.get(value)
        if definition and self.dominates(definition, use):
            return None
        if not isinstance(value, DEFINED):
            return None
        name = f"`{value.name or value.type}`"
        if definition is None:
            return f"{name} is not defined in `{self.tree.function.name}`"
        if definition[0] is use[0]:
            return f"{name} is used before it is defined"
        return f"{name} is not defined on every path to this use"


class Places:
    """A set of places of a function, for queries whether one of them dominates another place.

    Places that others dominate are omitted. The rest are in preorder of the dominator tree, where only the last one
    before a place can dominate this place.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._numbers: list[int] = []
        self._places: list[Place] = []

    def add(self, place: Place) -> None:
        """Add a reachable place."""
        if not self.dominate(place):
            numbers = self._scope.tree.dominated(place[0])
            dominated = slice(bisect_left(self._numbers, numbers.start), bisect_left(self._numbers, numbers.stop))
            self._numbers[dominated] = [numbers.start]
            self._places[dominated] = [place]

    def dominate(self, place: Place) -> bool:
        """Whether a place of the set dominates `place`, which must be reachable."""
        last = bisect_right(self._numbers, self._scope.tree.dominated(place[0]).start) - 1
        return last >= 0 and self._scope.dominates(self._places[last], place)


def _definitions(function: Function) -> dict[Value, Place]:
    """The place after each definition; the first one if a value is defined twice."""
    places: dict[Value, Place] = {}
    for member in function.members():
        for parameter in member.parameters:
            places.setdefault(parameter, (member, 0))
        for number, statement in enumerate(member.body):
            places.setdefault(statement, (member, number + 1))
    return places
