"""Dispatch blocks, which select the target of control flow that structured statements cannot express.

A loop with several entries has no entry that dominates the others. If every edge to an entry, and every edge back into
a cycle, goes through one dispatch block, with a number that selects the target, then this block dominates the loop,
which becomes an ordinary loop. If statements would be nested too deeply, all joins go through one dispatch block.

A dispatch block is a continuation that the program does not contain; it ends with a switch on its parameter, the
selector. An edge to a dispatch block replaces an edge of the program: its first argument is the number of the replaced
target, and the replaced edge's arguments follow. (After a dispatch block, a definition may no longer dominate its uses.
Variables are still correct, since the paths of control do not change.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from cpsconv.core.analysis.graph import local_target, reverse_postorder_from
from cpsconv.core.analysis.loops import Loop, LoopNest
from cpsconv.core.ir import INT, Call, Constant, Continuation, Edge, Function, Jump, Parameter
from cpsconv.core.nodes import replace
from cpsconv.targets.structuring.decisions import Choice, Decision, DecisionGraph, Terminator

MAX_DEPTH = 24  # nested decisions between two passes through the dispatch block


class Redirection(NamedTuple):
    """The edge `replaced` by an edge to a dispatch block, whose parameter `selector` gets the number of the target."""

    replaced: Edge
    selector: Parameter
    number: int


class DispatchGraph(DecisionGraph):
    """A decision graph with a dispatch block for each of the `groups`: each edge to a member of a group is redirected.

    `redirections` describes each edge to a dispatch block.
    """

    def __init__(self, function: Function, graph: DecisionGraph, groups: Sequence[Collection[Continuation]]) -> None:
        self.redirections: dict[Edge, Redirection] = {}
        self._graph = graph
        self._dispatched: dict[Continuation, tuple[Continuation, Parameter, int]] = {}
        self.terminators: dict[Continuation, Terminator] = {}
        for targets in groups:
            selector = Parameter(INT, "selector")
            dispatch = Continuation("dispatch", [selector])
            *edges, default = [Edge(target) for target in targets]
            cases = [([number], edge) for number, edge in enumerate(edges)]
            self.terminators[dispatch] = Choice(selector, cases, default)
            self._dispatched.update((target, (dispatch, selector, number)) for number, target in enumerate(targets))
        for member in graph.members:
            self.terminators[member] = self._redirected(graph.terminators[member])
        root: Continuation = function
        self.members = reverse_postorder_from(root, self.successors)

    def is_empty(self, member: Continuation) -> bool:
        """Whether nothing is done before the terminator."""
        return member.transfer is not None and self._graph.is_empty(member)

    def _redirected(self, terminator: Terminator) -> Terminator:
        if isinstance(terminator, Decision):
            return replace(terminator, then=self._edge(terminator.then), otherwise=self._edge(terminator.otherwise))
        if isinstance(terminator, Choice):
            cases = [(cases, self._edge(edge)) for cases, edge in terminator.cases]
            return replace(terminator, cases=cases, default=self._edge(terminator.default))
        if isinstance(terminator, Call):
            return replace(terminator, then=self._edge(terminator.then))
        assert isinstance(terminator, Jump)
        return replace(terminator, edge=self._edge(terminator.edge))

    def _edge(self, edge: Edge) -> Edge:
        target = local_target(edge)
        if target not in self._dispatched:
            return edge
        dispatch, selector, number = self._dispatched[target]
        redirected = Edge(dispatch, [Constant(INT, number), *edge.arguments])
        self.redirections[redirected] = Redirection(edge, selector, number)
        return redirected


def without_irreducible_loops(function: Function, graph: DecisionGraph) -> DispatchGraph:
    """The graph with a dispatch block for each loop that has several entries."""
    nest = LoopNest(graph.dominance(), graph.successors)
    targets: dict[Loop[Continuation], dict[Continuation, None]] = {}
    seen: set[Loop[Continuation]] = set()
    for member in graph.members:
        loop = nest.innermost.get(member)
        while loop and loop not in seen:
            seen.add(loop)
            if loop.irreducible:
                targets.setdefault(loop, dict.fromkeys(loop.entries))
            loop = loop.around
        for target in graph.successors(member):
            if nest.is_retreating(member, target):
                around = nest.innermost[target]
                while not around.irreducible:
                    assert around.around
                    around = around.around
                targets.setdefault(around, {})[target] = None
    return DispatchGraph(function, graph, [*targets.values()])


def with_one_dispatch(function: Function, graph: DecisionGraph, outermost: Continuation | None = None) -> DispatchGraph:
    """The graph with one dispatch block, through which all edges to joins go, and some edges of deep trees.

    Edges to `outermost`, the header of a loop around the whole function, are not redirected.
    """
    depth: dict[Continuation, int] = {function: 0}
    targets: dict[Continuation, None] = {}
    in_degree = Counter(target for member in graph.members for target in graph.successors(member))
    for member in graph.members:  # in reverse postorder, so the depth of each is known
        below = depth[member] + _nesting(graph.terminators[member])
        for target in graph.successors(member):
            is_dispatched = target is not outermost and (in_degree[target] > 1 or below > MAX_DEPTH)
            depth[target] = 0 if is_dispatched else below
            if is_dispatched:
                targets[target] = None
    return DispatchGraph(function, graph, [targets] if targets else [])


def _nesting(terminator: Terminator) -> int:
    """The number of nested statements to which a terminator is translated."""
    if isinstance(terminator, Choice):
        return len(terminator.cases).bit_length() + 2
    return 1 if isinstance(terminator, Decision) else 0
