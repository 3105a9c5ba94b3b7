"""Dispatch blocks: control flow that structured statements cannot express goes through a block that selects the target.

A loop with several entries has no entry that dominates the others. If every edge to an entry, and every edge back into
a cycle, goes through one dispatch block, with a number that selects the target, then this block dominates the loop,
which becomes an ordinary loop. If statements would be nested too deeply, all joins go through one dispatch block.

A dispatch block is a continuation that the program does not contain, with a switch. An edge to it has the number as its
first argument, followed by the arguments of the edge that it replaces. (Behind a dispatch block, a definition may no
longer dominate its uses. Variables are still correct, since the paths that control takes do not change.)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from cpsconv.analysis.dominance import Dominance
from cpsconv.analysis.graph import reverse_postorder_from
from cpsconv.analysis.loops import Loop, LoopNest
from cpsconv.ir import INT, Call, Constant, Continuation, Edge, Function, Jump, Parameter
from cpsconv.structuring.decisions import Choice, Decision, DecisionGraph, Terminator, local_target

MAX_DEPTH = 24  # nested decisions between two passes through the dispatch block


class Redirection(NamedTuple):
    """The edge that an edge to a dispatch block replaces, and the number that selects its target."""

    replaced: Edge
    selector: Parameter
    number: int


class DispatchGraph(DecisionGraph):
    """A decision graph with a dispatch block for each of the `groups`: each edge to a member of a group is redirected.

    `redirections` has the edges to dispatch blocks, with what they replace.
    """

    def __init__(self, function: Function, graph: DecisionGraph, groups: Sequence[Collection[Continuation]]) -> None:
        self.redirections: dict[Edge, Redirection] = {}
        self._graph = graph
        self._dispatched: dict[Continuation, tuple[Continuation, Parameter, int]] = {}
        self.terminators: dict[Continuation, Terminator] = {}
        for targets in groups:
            self._add_dispatch(list(targets))
        for member in graph.members:
            self.terminators[member] = self._redirected(graph.terminators[member])
        root: Continuation = function
        self.members = reverse_postorder_from(root, self.successors)

    def is_empty(self, member: Continuation) -> bool:
        """Whether nothing is done before the terminator."""
        return member.transfer is not None and self._graph.is_empty(member)

    def _add_dispatch(self, targets: list[Continuation]) -> None:
        selector = Parameter(INT, "selector")
        dispatch = Continuation("dispatch", [selector])
        edges = [Edge(target) for target in targets]
        cases = [([number], edge) for number, edge in enumerate(edges[:-1])]
        self.terminators[dispatch] = Choice(selector, cases, edges[-1])
        self._dispatched.update((target, (dispatch, selector, number)) for number, target in enumerate(targets))

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
    root: Continuation = function
    nest = LoopNest(Dominance(root, graph.successors, graph.members), graph.successors)
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
                targets.setdefault(_irreducible_loop(nest, target), {})[target] = None
    return DispatchGraph(function, graph, [*targets.values()])


def _irreducible_loop(nest: LoopNest[Continuation], member: Continuation) -> Loop[Continuation]:
    """The innermost loop around `member` that has several entries."""
    loop = nest.innermost[member]
    while not loop.irreducible:
        assert loop.around
        loop = loop.around
    return loop


def with_one_dispatch(function: Function, graph: DecisionGraph) -> DispatchGraph:
    """The graph with one dispatch block, through which all edges to joins go, and some edges of deep trees."""
    depth: dict[Continuation, int] = {function: 0}
    targets: dict[Continuation, None] = {}
    in_degree: dict[Continuation, int] = {}
    for member in graph.members:
        for target in graph.successors(member):
            in_degree[target] = in_degree.get(target, 0) + 1
    for member in graph.members:  # in reverse postorder, so the depth of each is known
        below = depth[member] + _depth(graph.terminators[member])
        for target in graph.successors(member):
            is_dispatched = in_degree[target] > 1 or below > MAX_DEPTH
            depth[target] = 0 if is_dispatched else below
            if is_dispatched:
                targets[target] = None
    return DispatchGraph(function, graph, [targets])


def _depth(terminator: Terminator) -> int:
    """The nesting depth of the statements that a terminator becomes."""
    if isinstance(terminator, Choice):
        return len(terminator.cases).bit_length() + 2
    return 1 if isinstance(terminator, Decision) else 0
