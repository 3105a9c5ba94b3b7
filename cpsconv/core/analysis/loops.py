"""Loops and their nesting.

A *back edge* leads to a node that dominates its source. The back edges to one node, the *header*, define a *natural
loop*: the nodes dominated by the header from which a path leads back to it within the nodes it dominates.

If the graph without back edges has cycles, it is *irreducible*: such a cycle is entered at several nodes, none of which
dominates the others. Each strongly connected component of the graph without back edges is an *irreducible loop*,
together with the natural loops whose headers it contains. (Irreducible loops within it are not distinguished, since
that would depend on an arbitrary order of its entries.)

Two loops are disjoint, or one contains the other; the outermost loops are the strongly connected components of the
graph. Natural loops are found from the inside out, and each found loop is treated as one node (Tarjan, *Testing Flow
Graph Reducibility*, 1974), in almost linear time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic

from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.analysis.graph import Node, reverse_postorder_from
from cpsconv.core.analysis.scc import strongly_connected_components


@dataclass(eq=False, slots=True)
class Loop(Generic[Node]):
    """A loop: `entries` are the header, or several nodes; `around` is the next outer loop."""

    entries: list[Node]
    around: Loop[Node] | None = None

    @property
    def irreducible(self) -> bool:
        """Whether the loop has several entries."""
        return len(self.entries) > 1


class LoopNest(Generic[Node]):
    """The loops of the graph given by `neighbours`, with dominator tree `tree`.

    `innermost` maps each node in a loop to its innermost loop.
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
        self._headed: dict[Node, Loop[Node]] = {}  # natural loops by header
        self._around: dict[Node, Loop[Node]] = {}  # the loop around a node or, for a header, around its loop
        self._find_natural_loops()
        self._find_irreducible_loops()
        for header, loop in self._headed.items():
            loop.around = self._around.get(header)
        self.innermost = {**self._around, **self._headed}

    def is_back(self, source: Node, target: Node) -> bool:
        """Whether the edge from `source` to `target` is a back edge."""
        return self._tree.dominates(target, source)

    def is_retreating(self, source: Node, target: Node) -> bool:
        """Whether the edge is a retreating edge, but no back edge, of the depth-first search in order of neighbours.

        Every cycle of an irreducible loop contains such an edge or a back edge.
        """
        return self._number[target] <= self._number[source] and not self.is_back(source, target)

    def _find_natural_loops(self) -> None:
        """Find natural loops, deeper headers first. The header represents the nodes of a found loop."""
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
        """Find the strongly connected components of the graph without back edges."""
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
        """Whether an edge from outside the loop of the component leads to its `node`."""
        return any(before not in component and not self.is_back(before, node) for before in self._predecessors[node])


def _last(following: dict[Node, Node], node: Node) -> Node:
    """The end of the chain from `node`, which is compressed."""
    while node in following:
        after = following[node]
        following[node] = following.get(after, after)
        node = after
    return node
