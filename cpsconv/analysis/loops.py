"""Loops, and how they nest.

A *back edge* leads to a node that dominates its source. The back edges to one node, the *header*, make a *natural
loop*: all nodes from which the header is reached again without leaving what it dominates.

Without back edges a graph may still have cycles. It is *irreducible* then: such a cycle is entered at several nodes, of
which none dominates the others. Each strongly connected component that is left makes an *irreducible loop*: its nodes,
and the natural loops whose headers are among them. (What nests in it otherwise is not told apart: there is no order of
its entries that is not arbitrary.)

Two of all these loops share nothing, or one lies within the other; and the outermost are the strongly connected
components of the graph. Natural loops are found from the inside to the outside, and each is one node from then on
(Tarjan, *Testing Flow Graph Reducibility*, 1974), in time almost linear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic

from cpsconv.analysis.dominance import Dominance
from cpsconv.analysis.graph import Node, reverse_postorder_from
from cpsconv.analysis.scc import strongly_connected_components


@dataclass(eq=False, slots=True)
class Loop(Generic[Node]):
    """`entries` are the nodes by which it is entered: the header, or several. `around` is the next loop outwards."""

    entries: list[Node]
    around: Loop[Node] | None = None

    @property
    def irreducible(self) -> bool:
        """Whether there is no entry that dominates the others."""
        return len(self.entries) > 1


class LoopNest(Generic[Node]):
    """The loops of the nodes in `tree`, which is the dominator tree of the graph that `neighbours` describes.

    `innermost` maps each node that is in a loop to the innermost one.
    """

    def __init__(self, tree: Dominance[Node], neighbours: Callable[[Node], Iterable[Node]]) -> None:
        self._tree = tree
        self._neighbours = {node: list(neighbours(node)) for node in tree.preorder()}
        self._predecessors: dict[Node, list[Node]] = {node: [] for node in self._neighbours}
        for node, following in self._neighbours.items():
            for neighbour in following:
                self._predecessors[neighbour].append(node)
        order = reverse_postorder_from(tree.root, lambda node: self._neighbours[node][::-1])
        self._number = {node: number for number, node in enumerate(order)}
        self._headed: dict[Node, Loop[Node]] = {}  # natural loops by their headers
        self._around: dict[Node, Loop[Node]] = {}  # of a node, or of the loop that it heads: the next loop outwards
        self._find_natural_loops()
        self._find_irreducible_loops()
        for header, loop in self._headed.items():
            loop.around = self._around.get(header)
        self.innermost = {**self._around, **self._headed}

    def is_back(self, source: Node, target: Node) -> bool:
        """Whether an edge leads back to a node that dominates its source."""
        return self._tree.dominates(target, source)

    def is_retreating(self, source: Node, target: Node) -> bool:
        """Whether an edge closes a cycle of an irreducible loop.

        Each such cycle has one: where a depth-first search that goes to first neighbours first comes back to its path.
        """
        return self._number[target] <= self._number[source] and not self.is_back(source, target)

    def _find_natural_loops(self) -> None:
        """Deeper headers come first. What is in a loop that has been found is represented by the header."""
        representative: dict[Node, Node] = {}
        for header in reversed(self._tree.preorder()):
            pending = [node for node in self._predecessors[header] if self.is_back(node, header)]
            if not pending:
                continue
            loop = self._headed[header] = Loop([header])
            while pending:
                node = _last(representative, pending.pop())
                if node != header:
                    representative[node] = header
                    self._around[node] = loop
                    pending += self._predecessors[node]

    def _find_irreducible_loops(self) -> None:
        """Their nodes have the same loop around them, those apart that are in a natural loop of another one's."""
        forward = {
            node: [neighbour for neighbour in following if not self.is_back(node, neighbour)]
            for node, following in self._neighbours.items()
        }
        for component in strongly_connected_components([self._tree.root], forward.__getitem__):
            if len(component) > 1:
                self._add_irreducible(set(component))

    def _add_irreducible(self, component: set[Node]) -> None:
        entries = [node for node in component if self._is_entered(node, component)]
        outermost = [
            node for node in component if node not in self._around or self._around[node].entries[0] not in component
        ]
        loop = Loop(sorted(entries, key=self._number.__getitem__), self._around.get(outermost[0]))
        self._around.update(dict.fromkeys(outermost, loop))

    def _is_entered(self, node: Node, component: set[Node]) -> bool:
        """Whether an edge from outside of the component's loop leads to its `node`."""
        return any(before not in component and not self.is_back(before, node) for before in self._predecessors[node])


def _last(following: dict[Node, Node], node: Node) -> Node:
    """Where the chain from `node` ends, which becomes shorter."""
    while node in following:
        after = following[node]
        following[node] = following.get(after, after)
        node = after
    return node
