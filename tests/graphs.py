"""Random control-flow graphs with variables, their meaning by definition, and their construction with the Builder.

A graph is what a front end would walk over: blocks that write and show variables, and lead to others. Many of the
graphs are irreducible. `walk_graph` says what a path through the graph shows; `walk_function` says the same of a
finished function, and both take the same sequence of choices where the way forks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from hypothesis import strategies as st

from cpsconv.construction import Builder, Variable
from cpsconv.construction import Counts as FinalCounts
from cpsconv.construction.events import Event
from cpsconv.construction.record import Record, Recorder
from cpsconv.ir import BOOL, INT, Branch, Constant, Continuation, Effect, Function, Jump, Undef, Value
from cpsconv.operations.table import CONVERT


@dataclass
class Node:
    """Events in order: ``("write", v, n)``, ``("copy", v, w)``, ``("show", v)``; and at most two ways to go on."""

    events: list[tuple]
    successors: list[int]


@dataclass
class Graph:
    variables: int
    nodes: list[Node]
    order: list[int] = field(default_factory=list)  # in which the blocks are filled
    eager: bool = True  # seal each block as soon as its last predecessor is filled, or all at the end


@st.composite
def graphs(draw, most_nodes: int = 12, most_variables: int = 3) -> Graph:
    """Any graph, self loops, double edges, irreducible loops and unreachable parts included."""
    count = draw(st.integers(1, most_nodes))
    variables = draw(st.integers(1, most_variables))
    variable = st.integers(0, variables - 1)
    event = st.one_of(
        st.tuples(st.just("write"), variable, st.integers(0, 99)),
        st.tuples(st.just("copy"), variable, variable),
        st.tuples(st.just("show"), variable),
    )
    node = st.builds(Node, st.lists(event, max_size=3), st.lists(st.integers(0, count - 1), max_size=2))
    nodes = draw(st.lists(node, min_size=count, max_size=count))
    return Graph(variables, nodes, draw(st.permutations(range(count))), draw(st.booleans()))


def random_graph(random: Random, most_nodes: int = 12, most_variables: int = 3) -> Graph:
    """A graph as those of `graphs`, by plain random numbers, which are fast."""
    count, variables = random.randint(1, most_nodes), random.randint(1, most_variables)

    def event() -> tuple:
        first, second = random.randrange(variables), random.randrange(variables)
        number = random.randrange(100)
        return random.choice([("write", first, number), ("copy", first, second), ("show", first)])

    nodes = [
        Node(
            [event() for _ in range(random.randint(0, 3))], random.choices(range(count), k=random.choice([0, 1, 2, 2]))
        )
        for _ in range(count)
    ]
    return Graph(variables, nodes, random.sample(range(count), count), random.random() < 0.5)


@dataclass
class Counts:
    """Parameters placed, and removed again, before unreachable predecessors are forgotten at the end."""

    placed: int
    removed: int


def build(graph: Graph, strategy: str) -> tuple[Function, Counts]:
    """The graph as a function, its blocks filled in the graph's order."""
    return _Construction(graph, Builder(strategy)).run()


def construct(graph: Graph, strategy: str) -> tuple[Function, FinalCounts]:
    """The graph as a function, and what the Builder counted."""
    construction = _Construction(graph, Builder(strategy))
    function, _ = construction.run()
    return function, construction.builder.counts[function]


def record(graph: Graph, strategy: str) -> tuple[Function, Record]:
    """The graph as a function, and the record of its construction."""
    recorder = Recorder()
    function, _ = _Construction(graph, Builder(strategy, observer=recorder)).run()
    return function, recorder.record


def observe(graph: Graph, strategy: str, observer: Callable[[Builder, Event], None]) -> Function:
    """The graph as a function; the observer is told of each event, with the Builder as that is at the moment."""
    builder = Builder(strategy, observer=lambda event: observer(builder, event))
    function, _ = _Construction(graph, builder).run()
    return function


class _Construction:
    def __init__(self, graph: Graph, builder: Builder) -> None:
        self.graph = graph
        self.builder = builder
        self.variables = [Variable(f"v{i}", INT) for i in range(graph.variables)]
        self.missing = [0] * len(graph.nodes)
        for node in graph.nodes:
            for successor in node.successors:
                self.missing[successor] += 1
        self.missing[0] += 1

    def run(self) -> tuple[Function, Counts]:
        builder = self.builder
        builder.function("f", [], INT)
        self.blocks = [builder.continuation(f"k{i}") for i in range(len(self.graph.nodes))]
        builder.jump(self.blocks[0])
        self._arrived(0)
        for number, missing in enumerate(self.missing):
            if missing == 0 and self.graph.eager and not self.blocks[number].sealed:
                builder.seal(self.blocks[number])
        for number in self.graph.order:
            self._fill(number)
        for block in self.blocks:
            if not block.sealed:
                builder.seal(block)
        counts = Counts(builder.placed, builder.removed)
        return builder.finish(), counts

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
                builder.write_variable(variable, Constant(INT, event[2]))
            elif event[0] == "copy":
                builder.write_variable(variable, builder.read_variable(self.variables[event[2]]))
            else:
                builder.effect("putchar", builder.read_variable(variable))
        targets = [self.blocks[successor] for successor in node.successors]
        if len(targets) == 2:
            builder.branch(Constant(BOOL, True), targets[0], targets[1])
        elif targets:
            builder.jump(targets[0])
        else:
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
