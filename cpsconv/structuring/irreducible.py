"""Ways of a function on which control goes by way of a *hub*: for what no structured statement can say.

A loop with several entries has none that dominates the others. If all that leads to an entry, or back into a cycle,
goes by way of one place from which a number tells where to go on, this place dominates the loop, which is an ordinary
one then. Where statements would be nested too deeply, all that is no simple tree of forks goes by way of one hub.

A hub is a continuation that the program does not have, with a switch. Nothing else changes: an edge to a hub is one
with a number beside what the edge passes that it stands for. (In terms of dominance, what a continuation computes may
be out of sight behind a hub. Variables do not mind, for the ways that are really taken are the same.)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from cpsconv.analysis.dominance import Dominance
from cpsconv.analysis.graph import reverse_postorder_from
from cpsconv.analysis.loops import Loop, LoopNest
from cpsconv.ir import INT, Call, Constant, Continuation, Edge, Function, Jump, Parameter
from cpsconv.structuring.decisions import Choice, Exit, Fork, Ways, local_target

_DEEPEST = 24  # forks within forks on the ways between one passage of a hub and the next


class RoutedWays(Ways):
    """The same ways as others, but for what leads to one of the `stops` of a hub: that goes to the hub.

    `routed` has the edges that lead to hubs: the edge that each stands for, the variable of the hub, and the number.
    """

    def __init__(self, function: Function, ways: Ways, groups: Sequence[Collection[Continuation]]) -> None:
        self.routed: dict[Edge, tuple[Edge, Parameter, int]] = {}
        self._ways = ways
        self._stops: dict[Continuation, tuple[Continuation, Parameter, int]] = {}
        self.exits: dict[Continuation, Exit] = {}
        for stops in groups:
            self._add_hub(list(stops))
        for member in ways.members:
            self.exits[member] = self._rerouted(ways.exits[member])
        root: Continuation = function
        self.members = reverse_postorder_from(root, self.successors)

    def is_empty(self, member: Continuation) -> bool:
        """Whether there is nothing to do before the exit."""
        return member.transfer is not None and self._ways.is_empty(member)

    def _add_hub(self, stops: list[Continuation]) -> None:
        at = Parameter(INT, "at")
        hub = Continuation("hub", [at])
        edges = [Edge(stop) for stop in stops]
        self.exits[hub] = Choice(at, [([number], edge) for number, edge in enumerate(edges[:-1])], edges[-1])
        self._stops.update((stop, (hub, at, number)) for number, stop in enumerate(stops))

    def _rerouted(self, exit: Exit) -> Exit:
        if isinstance(exit, Fork):
            return replace(exit, then=self._edge(exit.then), otherwise=self._edge(exit.otherwise))
        if isinstance(exit, Choice):
            cases = [(cases, self._edge(edge)) for cases, edge in exit.cases]
            return replace(exit, cases=cases, default=self._edge(exit.default))
        if isinstance(exit, Call):
            return replace(exit, then=self._edge(exit.then))
        assert isinstance(exit, Jump)
        return replace(exit, edge=self._edge(exit.edge))

    def _edge(self, edge: Edge) -> Edge:
        target = local_target(edge)
        if target not in self._stops:
            return edge
        hub, at, number = self._stops[target]
        routed = Edge(hub, [Constant(INT, number), *edge.arguments])
        self.routed[routed] = edge, at, number
        return routed


def without_irreducible_loops(function: Function, ways: Ways) -> RoutedWays:
    """The ways with a hub for each loop that has several entries."""
    root: Continuation = function
    nest = LoopNest(Dominance(root, ways.successors, ways.members), ways.successors)
    stops: dict[Loop[Continuation], dict[Continuation, None]] = {}
    seen: set[Loop[Continuation]] = set()
    for member in ways.members:
        loop = nest.innermost.get(member)
        while loop and loop not in seen:
            seen.add(loop)
            if loop.irreducible:
                stops.setdefault(loop, dict.fromkeys(loop.entries))
            loop = loop.around
        for target in ways.successors(member):
            if nest.is_retreating(member, target):
                stops.setdefault(_irreducible_loop(nest, target), {})[target] = None
    return RoutedWays(function, ways, [*stops.values()])


def _irreducible_loop(nest: LoopNest[Continuation], member: Continuation) -> Loop[Continuation]:
    """The innermost loop around `member` that has several entries."""
    loop = nest.innermost[member]
    while not loop.irreducible:
        assert loop.around
        loop = loop.around
    return loop


def by_one_hub(function: Function, ways: Ways) -> RoutedWays:
    """The ways by way of one hub, as far as they do not make up trees, and those not too deep."""
    depth: dict[Continuation, int] = {function: 0}
    stops: dict[Continuation, None] = {}
    arrivals: dict[Continuation, int] = {}
    for member in ways.members:
        for target in ways.successors(member):
            arrivals[target] = arrivals.get(target, 0) + 1
    for member in ways.members:  # each but for stops after the only one that leads to it
        below = depth[member] + _depth(ways.exits[member])
        for target in ways.successors(member):
            is_stop = arrivals[target] > 1 or below > _DEEPEST
            depth[target] = 0 if is_stop else below
            if is_stop:
                stops[target] = None
    return RoutedWays(function, ways, [stops])


def _depth(exit: Exit) -> int:
    """How deep the statement that an exit becomes has others within."""
    return 1 if isinstance(exit, Fork) else len(exit.cases).bit_length() + 2 if isinstance(exit, Choice) else 0
