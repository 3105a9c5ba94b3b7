"""The SCC variant (section 3.3): parameters only where several values enter a cycle of the look-up."""

from __future__ import annotations

from cpsconv.core.analysis.dominance import immediate_dominators
from cpsconv.core.analysis.undefined_operands import counted
from cpsconv.core.construction.block import Block, Placed, Variable, resolve
from cpsconv.core.construction.events import Component, Inherit, Visit
from cpsconv.core.construction.placement import Placement
from cpsconv.core.ir import Value


class _Node:
    """A join without a definition, as a node of Tarjan's algorithm.

    `entering` are the values found in the predecessors searched so far. The other predecessors have the values of
    `inner`, joins of the same component. `unsearched` are the remaining predecessors. `waiting` are the blocks that
    will have the join's value: the join, and the blocks passed on walks to it.
    """

    __slots__ = ("entering", "index", "inner", "join", "low", "unsearched", "waiting")

    def __init__(self, join: Block, index: int, passed: list[Block]) -> None:
        self.join = join
        self.index = self.low = index
        self.entering: list[Value] = []
        self.inner: list[Block] = []
        self.unsearched = iter(join.predecessors)
        self.waiting = [join, *passed]

    def depend_on(self, other: _Node) -> None:
        """Record that a predecessor has the value of `other`, which has no definition yet."""
        self.inner.append(other.join)
        self.low = min(self.low, other.low)


class Scc(Placement):
    """Finds the strongly connected components of a look-up. Over sealed blocks, it places necessary parameters only."""

    def look_up(self, variable: Variable, block: Block) -> Value:
        """Follow single predecessors to a definition; at a join, search for SCCs."""
        value, join, passed = self.walk(variable, block)
        if value is None:
            _Search(self, variable).run(join, passed)
            value = resolve(join.definitions[variable])
        return value


class _Search:
    """One look-up over joins: Tarjan's algorithm from a join backwards, with an explicit stack of tasks.

    Invariant: a join that has been visited and has no definition is on the component stack. A join that reaches it
    belongs to the same component.
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
        """Define the variable in `join`, in the blocks `passed` before it, and in all blocks searched."""
        self._visit(join, passed)
        while self.tasks:
            self._search(self.tasks[-1])
        for parameter in self.placed:
            results = [block.definitions[self.variable] for block in parameter.block.predecessors]
            self.placement.complete(parameter, results)

    def _search(self, node: _Node) -> None:
        """Search the predecessors in turn, until one depends on a new join, which is visited first."""
        for predecessor in node.unsearched:
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
        """Finish a node after the search of its predecessors. If it is a root, its component is complete."""
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
        """Define the variable in a component: undefined if no value enters, the value if one does, else parameters."""
        distinct: set[Value] = set()
        for node in component:
            distinct.update(node.entering)
        values = counted(self.placement.undefined, distinct)
        if self.observer is not None:
            joins, entering = [node.join for node in component], [node.entering for node in component]
            self.observer(Component(self.variable, joins, entering, values))
        if len(values) < 2:
            value = next(iter(values), None) or self.placement.undef(self.variable)
            for node in component:
                self.placement.record(self.variable, node.waiting, value)
            return
        entries = [node for node in component if node.entering]
        for node in entries:
            self._place(node)
        if len(entries) < len(component):
            self._place_inside(component, entries)

    def _place_inside(self, component: list[_Node], entries: list[_Node]) -> None:
        """Place the parameters that are needed inside the component: where different values meet first.

        A join that all paths into the component reach via another join, its dominator, has the value of its dominator.
        (The paper repeats the look-up for the rest of the component, and so traverses nested loops once for each
        level.)
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
        self.placement.record(self.variable, self.nodes[join].waiting, value)

    def _place(self, node: _Node) -> None:
        parameter = self.placement.place(self.variable, node.join)
        self.placed.append(parameter)
        self.placement.record(self.variable, node.waiting[1:], parameter)
