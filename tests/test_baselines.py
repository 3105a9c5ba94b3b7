"""The baselines, compared with the definition of assignment, with each other, and with the paper's strategies.

The graph alone determines which parameters are necessary, so all constructions must find the same ones.
"""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given

from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.analysis.graph import reverse_postorder_from
from cpsconv.core.analysis.scc import strongly_connected_components
from cpsconv.core.construction import STRATEGIES, Builder, BuildError, Counts, Strategy
from cpsconv.core.construction.basic import Basic
from cpsconv.core.ir import INT, Constant, Function, Program
from cpsconv.core.source import Source
from cpsconv.core.transform import minimise
from cpsconv.core.transform.pruning import unused_parameters
from cpsconv.lab.baselines import BASELINES, CONSTRUCTIONS
from cpsconv.lab.explain.comparison import compare
from cpsconv.pipeline import convert
from testing.graphs import Construction, Graph, Node, build, copyless_graphs, graphs
from testing.placements import Placements

needs_llvm = pytest.mark.skipif("llvm" not in BASELINES, reason="the package llvmlite is not installed")


def places(function: Function) -> list[tuple[str, str]]:
    """The parameters, by the names of continuation and variable."""
    return sorted((k.name, parameter.name) for k in function.continuations for parameter in k.parameters)


def construct(graph: Graph, strategy: str) -> tuple[Function, Counts]:
    construction = Construction(graph, Builder(strategy))
    return construction.function, construction.counts


def minimal(graph: Graph, strategy: str) -> Function:
    function = build(graph, strategy)
    minimise(Program([function]))
    return function


def live_places(function: Function) -> list[tuple[str, str]]:
    """As `places`, but without parameters whose only uses are as arguments of each other."""
    unused = unused_parameters(function)
    return sorted((k.name, p.name) for k in function.continuations for p in k.parameters if p not in unused)


def is_reducible(graph: Graph) -> bool:
    """Whether every cycle has an edge that leads back to a dominator of its source."""
    tree = Dominance(0, lambda node: graph.nodes[node].successors, range(len(graph.nodes)))

    def forward(node: int) -> list[int]:
        return [to for to in graph.nodes[node].successors if not tree.dominates(to, node)]

    return all(len(component) == 1 for component in strongly_connected_components([*tree.children], forward))


# ---------------------------------------------------------------------------- comparison with the definition


@given(graph=copyless_graphs)
def test_two_phase_has_a_parameter_at_every_join_where_the_variable_is_live(graph):
    nodes = graph.nodes
    reached = {0, *Dominance(0, lambda node: nodes[node].successors, range(len(nodes))).parent}
    edges = [(node, to) for node in reached for to in nodes[node].successors]
    joins = {node for node in reached if sum(to == node for _, to in edges) + (node == 0) > 1}
    expected = []
    for variable in range(graph.variables):
        uses = {n: [e[0] for e in nodes[n].events if e[1] == variable] for n in reached}
        live = {n for n in reached if uses[n][:1] == ["show"]}
        while more := {n for n, to in edges if to in live and n not in live and "write" not in uses[n]}:
            live |= more
        expected += [(f"k{n}", f"v{variable}") for n in live & joins]
    function, counts = construct(graph, "two-phase")
    assert places(function) == sorted(expected)
    assert counts.removed == 0


class EnterSsa:
    """The passes of the React compiler by their description (docs/react.md), for a graph without copies.

    Blocks and variables are numbers; the entry, before node 0, is block -1. A value is what was written, or the φ
    function of a block for a variable, as a pair. `is_late` is set if the count of a block reaches zero while one of
    its predecessors is not visited.
    """

    def __init__(self, graph: Graph) -> None:
        self.nodes = {-1: Node([], [0])} | dict(enumerate(graph.nodes))
        self.order = reverse_postorder_from(-1, lambda block: self.nodes[block].successors)
        self.predecessors: dict[int, set[int]] = {block: set() for block in self.order}
        for block in self.order:
            for successor in self.nodes[block].successors:
                self.predecessors[successor].add(block)
        self.count: dict[int, int] = {}
        self.definitions: dict[int, dict[int, object]] = {}
        self.incomplete: dict[int, list[int]] = {block: [] for block in self.order}
        self.phis: dict[tuple[int, int], list[object]] = {}
        self.is_late = False
        for block in self.order:
            self._visit(block)

    def _visit(self, block: int) -> None:
        self.definitions[block] = {}
        for event in self.nodes[block].events:
            if event[0] == "write":
                self.definitions[block][event[1]] = event[2]
            else:
                self._value(block, event[1])
        for successor in self.nodes[block].successors:
            before = self.count.get(successor, len(self.predecessors[successor]))
            self.count[successor] = before - 1
            if self.count[successor] == 0:
                self.is_late |= not self.predecessors[successor] <= {*self.definitions}
                for variable in self.incomplete[successor] if not self.is_late else ():
                    self._add_operands(successor, variable)

    def _value(self, block: int, variable: int) -> object:
        found = self.definitions[block]
        if variable in found or self.is_late:
            return found.get(variable)
        before = self.predecessors[block]
        if not before:
            return f"unknown {variable}"
        if self.count[block] > 0:
            self.incomplete[block].append(variable)
            found[variable] = block, variable
        elif len(before) == 1:
            found[variable] = self._value(next(iter(before)), variable)
        else:
            found[variable] = block, variable
            self._add_operands(block, variable)
        return found[variable]

    def _add_operands(self, block: int, variable: int) -> None:
        self.phis[block, variable] = [self._value(each, variable) for each in self.predecessors[block]]

    def kept(self) -> set[tuple[int, int]]:
        """The φ functions that the elimination of trivial ones leaves."""
        phis, rewritten = {phi: {*operands} for phi, operands in self.phis.items()}, True
        while rewritten:
            rewritten = False
            for phi, operands in [*phis.items()]:
                if len(operands - {phi}) == 1:
                    (same,) = operands - {phi}
                    del phis[phi]
                    phis = {each: {same if o == phi else o for o in found} for each, found in phis.items()}
                    rewritten = True
                    break
        return {*phis}


TWO_EDGES = Graph(1, [Node([], [1, 1]), Node([("show", 0)], [])], [0, 1])


@given(graph=copyless_graphs)
@example(graph=TWO_EDGES)
def test_countdown_places_and_keeps_what_the_passes_of_the_react_compiler_do(graph):
    passes = EnterSsa(graph)
    assume(not passes.is_late)
    placements = Placements()
    build(graph, "countdown", placements)
    (parameters,) = placements.functions.values()

    def pairs(placed):
        return sorted((int(each.block.continuation.name[1:]), int(each.variable.name[1:])) for each in placed)

    assert pairs(parameters.placed) == sorted(passes.phis)
    assert pairs(parameters.kept) == sorted(passes.kept())


def test_in_a_loop_that_two_edges_of_one_block_enter_the_count_of_react_is_zero_too_early():
    nodes = [Node([("write", 0, 1)], [1, 1]), Node([("show", 0)], [2, 3]), Node([("write", 0, 2)], [1]), Node([], [])]
    graph = Graph(1, nodes, [0, 1, 2, 3])
    assert EnterSsa(graph).is_late
    assert places(build(graph, "countdown")) == [("k1", "v0")]


# ----------------------------------------------------------------------------------- comparison with each other


@given(graph=graphs())
def test_after_algorithm_5_all_constructions_have_the_same_parameters(graph):
    found = {strategy: minimal(graph, strategy) for strategy in CONSTRUCTIONS}
    unpruned = found.pop("aycock-horspool")
    expected = places(found["scc"])
    assert all(places(function) == expected for function in found.values())
    assert live_places(unpruned) == live_places(found["scc"])


@given(graph=copyless_graphs)
def test_where_every_write_is_a_new_value_cytron_places_exactly_the_minimum(graph):
    assert places(build(graph, "cytron")) == places(minimal(graph, "scc"))


@given(graph=graphs())
def test_cytron_never_keeps_fewer_than_the_minimum(graph):
    assert construct(graph, "cytron")[1].kept >= len(places(minimal(graph, "scc")))


@needs_llvm
@given(graph=graphs())
def test_llvm_keeps_what_cytron_keeps_or_simplifies_it_away(graph):
    assert {*places(build(graph, "llvm"))} <= {*places(build(graph, "cytron"))}


@needs_llvm
@given(graph=copyless_graphs)
def test_where_every_write_is_a_new_value_llvm_places_exactly_the_minimum(graph):
    assert places(build(graph, "llvm")) == places(minimal(graph, "scc"))


@pytest.mark.parametrize("strategy", [*STRATEGIES, "aycock-horspool", "countdown"])
@given(graph=copyless_graphs)
def test_in_reducible_graphs_removing_trivial_parameters_is_enough(strategy, graph):
    assume(is_reducible(graph))
    assert live_places(build(graph, strategy)) == places(minimal(graph, "scc"))


@given(graph=graphs())
def test_countdown_keeps_what_basic_keeps(graph):
    assert places(build(graph, "countdown")) == places(build(graph, "basic"))


@given(graph=graphs())
def test_aycock_and_horspool_keep_what_basic_keeps_and_parameters_that_are_never_read(graph):
    function = build(graph, "aycock-horspool")
    assert {*places(build(graph, "basic"))} <= {*places(function)}


@given(graph=graphs())
def test_scc_places_and_keeps_no_more_than_marker_and_marker_no_more_than_basic(graph):
    scc, marker, basic = (construct(graph, strategy)[1] for strategy in ("scc", "marker", "basic"))
    assert scc.placed <= marker.placed <= basic.placed
    assert scc.kept <= marker.kept <= basic.kept


@given(graph=graphs())
def test_in_reducible_graphs_scc_removes_no_more_than_marker_and_marker_no_more_than_basic(graph):
    assume(is_reducible(graph))
    scc, marker, basic = (construct(graph, strategy)[1] for strategy in ("scc", "marker", "basic"))
    assert scc.removed <= marker.removed <= basic.removed


# ------------------------------------------------------------------------------------------------ false claims


def test_in_an_irreducible_graph_scc_may_remove_what_marker_keeps():
    # Two loops through block 1. A proxy is placed at block 0, which is filled last but one.
    nodes = [Node([("show", 0)], [2, 1]), Node([], [2, 0]), Node([], [1])]
    graph = Graph(1, nodes, order=[2, 0, 1])
    scc, marker = construct(graph, "scc")[1], construct(graph, "marker")[1]
    assert (scc.placed, scc.removed, scc.kept) == (1, 1, 0)
    assert (marker.placed, marker.removed, marker.kept) == (3, 0, 3)


def around_a_copy(order: list[int]) -> Graph:
    """``y = 0; x = y; while (…) { if (…) x = y; } show(x)``: section 3.2, irreducible by copies alone."""
    nodes = [
        Node([("write", 1, 0), ("copy", 0, 1)], [1]),
        Node([], [2, 5]),
        Node([], [3, 4]),
        Node([("copy", 0, 1)], [4]),
        Node([], [1]),
        Node([("show", 0)], []),
    ]
    return Graph(2, nodes, order)


def test_a_copy_whose_result_is_unused_can_leave_an_unused_parameter():
    # ``while (…) { y = x; x = 1; }``: a copy is no statement of the program, and the parameter for x has no other use.
    graph = Graph(2, [Node([("copy", 1, 0), ("write", 0, 1)], [0])], [0])
    function = build(graph, "scc")
    assert places(function) == [("k0", "v0")]
    assert live_places(function) == []


@pytest.mark.parametrize(
    ("strategy", "kept"),
    [
        ("basic", 2),
        ("marker", 2),
        ("scc", 0),
        ("cytron", 2),
        ("two-phase", 4),
        ("countdown", 2),
        pytest.param("llvm", 2, marks=needs_llvm),
    ],
)
def test_copies_leave_a_redundant_set_even_in_a_reducible_graph(strategy, kept):
    graph = around_a_copy(order=[0, 1, 2, 3, 4, 5])
    assert construct(graph, strategy)[1].kept == kept
    assert places(minimal(graph, strategy)) == []


# ------------------------------------------------------------------------------------------- short cuts, costs


def test_a_variable_written_once_before_its_reads_costs_cytron_a_stack_access_for_each():
    nodes = [Node([("write", 0, 1)], [1]), Node([("show", 0)], [1, 2]), Node([("show", 0)], [])]
    assert construct(Graph(1, nodes, [0, 1, 2]), "cytron")[1] == Counts(0, 0, 0, 0, lookups=2)


def test_a_variable_used_within_single_blocks_costs_no_look_ups_at_all():
    nodes = [Node([("write", 0, 1), ("show", 0)], [1]), Node([("write", 0, 2), ("show", 0)], [1, 0])]
    for baseline in ("cytron", "two-phase", "countdown"):
        assert construct(Graph(1, nodes, [0, 1]), baseline)[1] == Counts(0, 0, 0, 0, lookups=0)


def test_aycock_and_horspool_place_a_parameter_for_each_variable_in_each_block_but_the_entry():
    nodes = [
        Node([("write", 0, 1), ("write", 1, 1)], [1, 2]),
        Node([], [3]),
        Node([("write", 0, 2)], [3]),
        Node([], []),
    ]
    function, counts = construct(Graph(2, nodes, [0, 1, 2, 3]), "aycock-horspool")
    assert (counts.placed, counts.removed, counts.kept) == (8, 7, 1)
    assert places(function) == [("k3", "v0")]


def test_each_function_has_its_own_counts():
    builder = Builder("cytron")
    counts = []
    for name in "fg":
        function = builder.function(name, [("n", INT)], INT)
        builder.ret(Constant(INT, 0))
        assert builder.finish() is function
        counts.append(builder.counts[function])
    assert counts == [Counts(0, 0, 0, 0, 0)] * 2


class NoReuse(Basic):
    """A strategy of a user."""


def test_one_row_registers_a_strategy(monkeypatch):
    monkeypatch.setitem(STRATEGIES, "no-reuse", Strategy(NoReuse, "as basic"))
    assert [*CONSTRUCTIONS][: len(STRATEGIES)] == [*STRATEGIES] and STRATEGIES["no-reuse"].counts_lookups
    program = convert(Source("f.c", "int f(int x) { if (x) x = 1; return x; }"), strategy="no-reuse", certify=True)
    assert program.functions[0].continuations
    (row,) = compare(Source("f.c", "int f(int x) { return x; }"), strategies=["no-reuse"], repeat=1)
    assert row.strategy == "no-reuse" and row.lookups is not None


def test_an_unknown_strategy_is_refused_with_a_list_of_the_known_ones():
    with pytest.raises(BuildError) as caught:
        Builder("dominance")
    assert str(caught.value) == f"there is no strategy 'dominance'; there are {', '.join(CONSTRUCTIONS)}"
