"""Random control-flow graphs with variables, their meaning by definition, and their construction with the Builder.

A graph has the blocks that a front end would fill: they write and show variables, and lead to others. Many of the
graphs are irreducible. `walk_graph` returns what a path through the graph shows, `walk_function` what it shows in the
finished function, for the same choices at the branches.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from hypothesis import strategies as st

from cpsconv.core.construction import Block, Builder, Observer, Variable
from cpsconv.core.ir import BOOL, INT, Branch, Constant, Continuation, Effect, Function, Jump, Undef, Value
from cpsconv.core.operations.table import CONVERT
from testing.effort import randoms


@dataclass
class Node:
    """Events in order, ``("write", v, n)``, ``("copy", v, w)`` or ``("show", v)``; and at most two successors."""

    events: list[tuple]
    successors: list[int]


@dataclass
class Graph:
    variables: int
    nodes: list[Node]
    order: list[int] = field(default_factory=list)  # in which the blocks are filled
    eager: bool = True  # seal each block as soon as its last predecessor is filled, or all at the end


def random_graph(random: Random, most_nodes: int = 12, most_variables: int = 3) -> Graph:
    """Any graph, self loops, double edges, irreducible loops and unreachable parts included."""
    count, variables = random.randint(1, most_nodes), random.randint(1, most_variables)

    def event() -> tuple:
        first, second, number = random.randrange(variables), random.randrange(variables), random.randrange(100)
        return random.choice([("write", first, number), ("copy", first, second), ("show", first)])

    def node() -> Node:
        events = [event() for _ in range(random.randint(0, 3))]
        return Node(events, random.choices(range(count), k=random.choice([0, 1, 2, 2])))

    return Graph(variables, [node() for _ in range(count)], random.sample(range(count), count), random.random() < 0.5)


def sealed_graph(random: Random) -> Graph:
    """A graph that is written first, sealed, and then read in its last block.

    The first nodes, which nearly all write the variable, lead to the later ones. These lead to each other, so that
    strongly connected components with several entries are frequent.
    """
    above, last = (first := random.randint(3, 8)), first + random.randint(3, 9)

    def node(number: int) -> Node:
        is_above = number < above
        writes = [("write", 0, number)] if random.random() < (0.9 if is_above else 0.05) else []
        targets = range(number + 1, last) if is_above else range(above, last + (random.random() < 0.3))
        return Node(writes, random.choices(targets, k=2))

    nodes = [node(number) for number in range(last)]
    nodes[-1].successors[1] = last
    return Graph(1, [*nodes, Node([("show", 0)], [])], [*range(last + 1)])


def graphs(most_nodes: int = 12, most_variables: int = 3) -> st.SearchStrategy[Graph]:
    """The graphs of `random_graph`, for hypothesis."""
    return st.builds(random_graph, randoms(), st.just(most_nodes), st.just(most_variables))


def without_copies(graph: Graph) -> Graph:
    """The graph with each ``x = y`` and each write replaced by the write of a constant that no other one writes."""
    fresh = itertools.count(100)
    for node in graph.nodes:
        node.events = [event if event[0] == "show" else ("write", event[1], next(fresh)) for event in node.events]
    return graph


copyless_graphs = graphs().map(without_copies)


def build(graph: Graph, strategy: str, observer: Observer | None = None) -> Function:
    """The graph as a function, its blocks filled in the graph's order."""
    return Construction(graph, Builder(strategy, observer=observer)).function


class Construction:
    """The construction of a graph as the `function` ``f``. A subclass can change the entry, written values and
    branches.

    `removed` is the number of parameters removed before unreachable blocks are dropped.
    """

    def __init__(self, graph: Graph, builder: Builder) -> None:
        self.graph = graph
        self.builder = builder
        self.variables = [Variable(f"v{i}", INT) for i in range(graph.variables)]
        self.missing = [0] * len(graph.nodes)
        for successor in (0, *(to for node in graph.nodes for to in node.successors)):
            self.missing[successor] += 1
        self.begin()
        self.blocks = [builder.continuation(f"k{i}") for i in range(len(graph.nodes))]
        builder.jump(self.blocks[0])
        self._arrived(0)
        for block, missing in zip(self.blocks, self.missing, strict=True):
            if missing == 0 and graph.eager and not block.sealed:
                builder.seal(block)
        for number in graph.order:
            self._fill(number)
        for block in self.blocks:
            if not block.sealed:
                builder.seal(block)
        self.removed = builder.removed
        self.function = builder.finish()
        self.counts = builder.counts[self.function]

    def begin(self) -> None:
        """Open the function."""
        self.builder.function("f", [], INT)

    def written(self, number: int) -> Value:
        """The value of a write of that number."""
        return Constant(INT, number)

    def branch(self, number: int, first: Block, second: Block) -> None:
        """End the block of that number, which has two successors."""
        self.builder.branch(Constant(BOOL, True), first, second)

    def _arrived(self, number: int) -> None:
        self.missing[number] -= 1
        if self.graph.eager and self.missing[number] == 0:
            self.builder.seal(self.blocks[number])

    def _fill(self, number: int) -> None:
        builder, node = self.builder, self.graph.nodes[number]
        builder.enter(self.blocks[number])
        for event in node.events:
            variable = self.variables[event[1]]
            if event[0] == "write":
                builder.write_variable(variable, self.written(event[2]))
            elif event[0] == "copy":
                builder.write_variable(variable, builder.read_variable(self.variables[event[2]]))
            else:
                builder.effect("putchar", builder.read_variable(variable))
        match [self.blocks[successor] for successor in node.successors]:
            case [first, second]:
                self.branch(number, first, second)
            case [target]:
                builder.jump(target)
            case _:
                builder.ret(Constant(INT, 0))
        for successor in node.successors:
            self._arrived(successor)


def walk_graph(graph: Graph, choices: list[int]) -> list[object]:
    """What a path shows, by the definition of assignment: None for a variable that nothing was assigned to."""
    state: dict[int, object] = dict.fromkeys(range(graph.variables))
    decide: Iterator[int] = iter(choices)
    shown: list[object] = []
    at = 0
    for _ in range(2 * len(choices) + 2 * len(graph.nodes)):
        node = graph.nodes[at]
        for event in node.events:
            if event[0] == "show":
                shown.append(state[event[1]])
            else:
                state[event[1]] = event[2] if event[0] == "write" else state[event[2]]
        if not node.successors:
            break
        try:
            at = node.successors[next(decide)] if len(node.successors) == 2 else node.successors[0]
        except StopIteration:
            break
    return shown


def walk_function(function: Function, choices: list[int], longest: int, most_steps: int = 100_000) -> list[object]:
    """What the same path through the finished function shows, at most `longest` values.

    One that is not right may go on without showing anything: no path is walked for more than `most_steps`.
    """
    state: dict[Value, object] = {}
    decide = iter(choices)
    shown: list[object] = []
    at: Continuation = function
    for _ in range(most_steps):
        if len(shown) >= longest:
            break
        for statement in at.body:
            if isinstance(statement, Effect):
                shown.append(_value(statement.operands[0], state))
            else:
                assert statement.op == CONVERT  # to its own type: a copy
                state[statement] = _value(statement.operands[0], state)
        transfer = at.transfer
        if isinstance(transfer, Jump):
            edge = transfer.edge
        else:
            assert isinstance(transfer, Branch)
            choice = next(decide, None)
            if choice is None:
                break
            edge = transfer.edges[choice]
        if not isinstance(edge.target, Continuation):
            break
        values = [_value(argument, state) for argument in edge.arguments]
        state.update(zip(edge.target.parameters, values, strict=True))
        at = edge.target
    return shown[:longest]


def _value(value: Value, state: dict[Value, object]) -> object:
    if isinstance(value, Constant):
        return value.value
    return None if isinstance(value, Undef) else state[value]
