"""The SCC variant (section 3.3): parameters only where more than one value enters a cycle of the look-up."""

from __future__ import annotations

from cpsconv.analysis.dominance import immediate_dominators
from cpsconv.construction.block import Block, Placed, Variable, resolve
from cpsconv.construction.events import Component, Inherit, Visit
from cpsconv.construction.placement import Placement, remember
from cpsconv.ir import Value


class _Node:
    """A join without a definition, as Tarjan's algorithm sees it.

    Of the predecessors asked so far, `entering` holds the values; the others depend on `inner`, joins of the same
    component. `unasked` are the predecessors that follow. `waiting` have the join's value: itself, and the blocks that
    were passed on walks to it.
    """

    __slots__ = ("entering", "index", "inner", "join", "low", "unasked", "waiting")

    def __init__(self, join: Block, index: int, passed: list[Block]) -> None:
        self.join = join
        self.index = self.low = index
        self.entering: list[Value] = []
        self.inner: list[Block] = []
        self.unasked = iter(join.predecessors)
        self.waiting = [join, *passed]

    def depend_on(self, other: _Node) -> None:
        """A predecessor has the value of `other`, which is still without a definition."""
        self.inner.append(other.join)
        self.low = min(self.low, other.low)


class Scc(Placement):
    """Finds the strongly connected components of a look-up; over sealed blocks it places necessary parameters only."""

    def look_up(self, variable: Variable, block: Block) -> Value:
        """Walk to the value; where the way forks, search."""
        value, join, passed = self.walk(variable, block)
        if value is None:
            _Search(self, variable).run(join, passed)
            value = resolve(join.definitions[variable])
        return value


class _Search:
    """One look-up over joins: Tarjan's algorithm from a join backwards, its recursion turned into a stack of tasks.

    Invariant: a join that has been visited but has no definition is on the component stack. So whoever comes to it
    belongs to its component.
    """

    def __init__(self, placement: Placement, variable: Variable) -> None:
        self.placement = placement
        self.observer = placement.observer
        self.variable = variable
        self.tasks: list[_Node] = []
        self.nodes: dict[Block, _Node] = {}
        self.stack: list[_Node] = []
        self.placed: list[Placed] = []

    def run(self, join: Block, passed: list[Block]) -> None:
        """Define the variable in `join`, in those passed on the way there, and wherever else the search comes."""
        self._visit(join, passed)
        while self.tasks:
            self._ask(self.tasks[-1])
        for parameter in self.placed:
            answers = [block.definitions[self.variable] for block in parameter.block.predecessors]
            self.placement.complete(parameter, answers)

    def _ask(self, node: _Node) -> None:
        """Ask the predecessors in turn, until the answer depends on a new join, which is visited first."""
        for predecessor in node.unasked:
            value, join, passed = self.placement.walk(self.variable, predecessor)
            if value is not None:
                node.entering.append(value)
            elif join in self.nodes:
                met = self.nodes[join]
                met.waiting += passed
                node.depend_on(met)
            else:
                self._visit(join, passed)
                return
        self._leave(node)

    def _visit(self, join: Block, passed: list[Block]) -> None:
        node = self.nodes[join] = _Node(join, len(self.nodes), passed)
        self.stack.append(node)
        self.tasks.append(node)
        if self.observer is not None:
            self.observer(Visit(self.variable, join))

    def _leave(self, node: _Node) -> None:
        """All predecessors have been asked. If `node` is the root of a component, that is complete."""
        self.tasks.pop()
        if node.low < node.index:
            self.tasks[-1].depend_on(node)
            return
        self._decide(self._pop_component(node))
        if self.tasks:
            self.tasks[-1].entering.append(node.join.definitions[self.variable])

    def _pop_component(self, root: _Node) -> list[_Node]:
        component = [self.stack.pop()]
        while component[-1] is not root:
            component.append(self.stack.pop())
        return component

    def _decide(self, component: list[_Node]) -> None:
        """No value enters the component from outside: undefined. One: all have it. More: they meet where they enter."""
        distinct: set[Value] = set()
        for node in component:
            distinct.update(node.entering)
        if self.observer is not None:
            joins, entering = [node.join for node in component], [node.entering for node in component]
            self.observer(Component(self.variable, joins, entering))
        if len(distinct) < 2:
            value = distinct.pop() if distinct else self.placement.undef(self.variable)
            for node in component:
                remember(self.variable, node.waiting, value)
            return
        entries = [node for node in component if node.entering]
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
            for source in node.inner:
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
        if self.observer is not None:
            self.observer(Inherit(self.variable, join, value))
        remember(self.variable, self.nodes[join].waiting, value)

    def _place(self, node: _Node) -> None:
        parameter = self.placement.place(self.variable, node.join)
        self.placed.append(parameter)
        remember(self.variable, node.waiting, parameter)
