"""The SCC variant (section 3.3): parameters only where more than one value enters a cycle of the look-up."""

from __future__ import annotations

from cpsconv.analysis.dominance import immediate_dominators
from cpsconv.build.block import Block, Placed, Variable, resolve
from cpsconv.build.events import Component, Inherit, Visit
from cpsconv.build.placement import Placement, remember
from cpsconv.ir import Value


class _Node:
    """A join without a definition, as Tarjan's algorithm sees it.

    `sources` holds, for each predecessor asked so far, the value found there, or the join that the answer depends on;
    `unasked` are the predecessors that follow. `waiting` are the blocks that were passed on walks to the join, and so
    have its value.
    """

    __slots__ = ("index", "join", "low", "sources", "unasked", "waiting")

    def __init__(self, join: Block, index: int) -> None:
        self.join = join
        self.index = self.low = index
        self.sources: list[Value | Block] = []
        self.unasked = iter(join.predecessors)
        self.waiting: list[Block] = []


class Scc(Placement):
    """Finds the strongly connected components of a look-up; over sealed blocks it places necessary parameters only."""

    def look_up(self, variable: Variable, block: Block) -> Value:
        """Walk to the value; where the way forks, search."""
        value, join, passed = self.walk(variable, block)
        if value is None:
            _Search(self, variable).run(join)
            value = resolve(join.definitions[variable])
        remember(variable, passed, value)
        return value


class _Search:
    """One look-up over joins: Tarjan's algorithm from a join backwards, its recursion turned into a stack of tasks.

    Invariant: a join that has been visited but has no definition is on the component stack.
    """

    def __init__(self, placement: Placement, variable: Variable) -> None:
        self.placement = placement
        self.observer = placement.observer
        self.variable = variable
        self.tasks: list[_Node] = []
        self.nodes: dict[Block, _Node] = {}
        self.stack: list[_Node] = []
        self.placed: list[Placed] = []

    def run(self, join: Block) -> None:
        """Define the variable in `join` and in every block that the search comes through."""
        self._visit(join)
        while self.tasks:
            node = self.tasks[-1]
            for predecessor in node.unasked:
                node.sources.append(self._ask(node, predecessor))
                if self.tasks[-1] is not node:
                    break
            else:
                self._leave(node)
        for parameter in self.placed:
            answers = [block.definitions[self.variable] for block in parameter.block.predecessors]
            self.placement.complete(parameter, answers)

    def _ask(self, node: _Node, predecessor: Block) -> Value | Block:
        """The value in a predecessor, or the join that it depends on, which is visited next if it is new."""
        value, join, passed = self.placement.walk(self.variable, predecessor)
        if value is not None:
            remember(self.variable, passed, value)
            return value
        met = self.nodes.get(join)
        if met is None:
            met = self._visit(join)
        elif met.index < node.low:
            node.low = met.index
        met.waiting += passed
        return join

    def _visit(self, join: Block) -> _Node:
        node = self.nodes[join] = _Node(join, len(self.nodes))
        self.stack.append(node)
        self.tasks.append(node)
        if self.observer:
            self.observer(Visit(self.variable, join))
        return node

    def _leave(self, node: _Node) -> None:
        """All predecessors have been asked. If `node` is the root of a component, that is complete."""
        self.tasks.pop()
        if node.low == node.index:
            self._decide(self._pop_component(node))
        else:
            parent = self.tasks[-1]
            parent.low = min(parent.low, node.low)

    def _pop_component(self, root: _Node) -> list[_Node]:
        component = [self.stack.pop()]
        while component[-1] is not root:
            component.append(self.stack.pop())
        return component

    def _decide(self, component: list[_Node]) -> None:
        """No value enters the component from outside: undefined. One: all have it. More: they meet where they enter."""
        entering = [self._entering(node) for node in component]
        if self.observer:
            self.observer(Component(self.variable, [node.join for node in component], entering))
        distinct: set[Value] = set().union(*entering)
        if len(distinct) < 2:
            value = distinct.pop() if distinct else self.placement.undef(self.variable)
            for node in component:
                self._define(node, value)
            return
        entries = [node for node, values in zip(component, entering, strict=True) if values]
        for node in entries:
            self._place(node)
        if len(entries) < len(component):
            self._place_inside(component, entries)

    def _place_inside(self, component: list[_Node], entries: list[_Node]) -> None:
        """Let the parameters of the entries flow through the component: another is needed where two of them meet first.

        Where all that arrives comes by way of one join, that dominates, and its value is the only one to arrive. The
        paper looks up again what is left of the component, which finds the components within it; so it goes through a
        deep nest of loops as often as that is deep.
        """
        flow: dict[Block | None, list[Block]] = {node.join: [] for node in component}
        for node in component:
            for source in node.sources:
                if isinstance(source, Block) and source in flow:
                    flow[source].append(node.join)
        flow[None] = [node.join for node in entries]
        self.placement.lookups += len(component)
        for join, dominator in immediate_dominators(None, flow.__getitem__).items():  # each after its dominator
            if join is None or self.variable in join.definitions:
                continue
            if dominator is None:
                self._place(self.nodes[join])
            else:
                self._inherit(join, dominator)

    def _inherit(self, join: Block, dominator: Block) -> None:
        value = dominator.definitions[self.variable]
        if self.observer:
            self.observer(Inherit(self.variable, join, value))
        self._define(self.nodes[join], value)

    def _place(self, node: _Node) -> None:
        parameter = self.placement.place(self.variable, node.join)
        self.placed.append(parameter)
        self._define(node, parameter)

    def _entering(self, node: _Node) -> list[Value]:
        """The values that reach `node` from outside its component: those of sources that have one by now."""
        values = []
        for source in node.sources:
            value = source.definitions.get(self.variable) if isinstance(source, Block) else source
            if value is not None:
                values.append(value)
        return values

    def _define(self, node: _Node, value: Value) -> None:
        node.join.definitions[self.variable] = value
        remember(self.variable, node.waiting, value)
