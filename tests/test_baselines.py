"""The baselines, compared with the definition of assignment, with each other, and with the paper's strategies.

The graph alone determines which parameters are necessary, so all constructions must find the same ones.
"""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cpsconv.analysis.dominance import Dominance
from cpsconv.analysis.dominance_frontiers import Frontiers
from cpsconv.analysis.scc import strongly_connected_components
from cpsconv.construction import BASELINES, CONSTRUCTIONS, STRATEGIES, Builder, BuildError, Counts, Strategy, Variable
from cpsconv.construction.basic import Basic
from cpsconv.construction.placement import Placement
from cpsconv.explain.comparison import compare
from cpsconv.ir import INT, Constant, Continuation, Function, Parameter, Program, Value
from cpsconv.pipeline import convert
from cpsconv.source import Source
from cpsconv.transform import minimise
from tests.effort import size
from tests.graphs import Graph, Node, construct, graphs, walk_function, walk_graph

every_baseline = pytest.mark.parametrize("baseline", BASELINES)
needs_llvm = pytest.mark.skipif("llvm" not in BASELINES, reason="the package llvmlite is not installed")
every_construction = pytest.mark.parametrize("strategy", [*CONSTRUCTIONS])
choices = st.lists(st.integers(0, 1), max_size=30)
COUNT = size(20_000)


def places(function: Function) -> list[tuple[str, str]]:
    """The parameters, by the names of continuation and variable."""
    return sorted((k.name, parameter.name) for k in function.continuations for parameter in k.parameters)


def minimal(graph: Graph, strategy: str) -> Function:
    function, _ = construct(graph, strategy)
    minimise(Program([function]))
    return function


def live_places(function: Function) -> list[tuple[str, str]]:
    """As `places`, but without parameters whose only uses are as arguments of each other."""
    arguments: dict[Parameter, list[Value]] = {}
    pending: list[Value] = []
    for member in function.members():
        pending += [operand for statement in member.body for operand in statement.operands]
        for edge in member.transfer.edges:
            for parameter, argument in zip(getattr(edge.target, "parameters", ()), edge.arguments, strict=False):
                arguments.setdefault(parameter, []).append(argument)
    live = set()
    while pending:
        value = pending.pop()
        if isinstance(value, Parameter) and value not in live:
            live.add(value)
            pending += arguments.get(value, ())
    return sorted((k.name, p.name) for k in function.continuations for p in k.parameters if p in live)


def is_reducible(graph: Graph) -> bool:
    """Whether every cycle has an edge that leads back to a dominator of its source."""
    tree = Dominance(0, lambda node: graph.nodes[node].successors, range(len(graph.nodes)))

    def forward(node: int) -> list[int]:
        return [to for to in graph.nodes[node].successors if not tree.dominates(to, node)]

    return all(len(component) == 1 for component in strongly_connected_components([*tree.children], forward))


def without_copies(graph: Graph) -> Graph:
    """The graph with each ``x = y`` replaced by a write of a new value."""
    for node in graph.nodes:
        node.events = [("write", event[1], 100) if event[0] == "copy" else event for event in node.events]
    return graph


copyless_graphs = graphs().map(without_copies)

# ---------------------------------------------------------------------------- comparison with the definition


@every_baseline
@given(graph=graphs(), choices=choices)
def test_every_path_shows_the_values_last_assigned(baseline, graph, choices):
    expected = walk_graph(graph, choices)
    function, _ = construct(graph, baseline)
    assert walk_function(function, choices, len(expected)) == expected
    minimise(Program([function]))
    assert walk_function(function, choices, len(expected)) == expected


@every_construction
@given(graph=graphs())
def test_the_counts_describe_the_finished_function(strategy, graph):
    function, counts = construct(graph, strategy)
    parameters = sum(len(k.parameters) for k in function.continuations)
    targets = [edge.target for member in function.members() for edge in member.transfer.edges]
    passed = sum(len(target.parameters) for target in targets if isinstance(target, Continuation))
    assert (counts.kept, counts.arguments) == (parameters, passed)
    assert counts.placed == counts.removed + counts.kept


@given(graph=graphs(), data=st.data())
def test_the_iterated_frontier_satisfies_its_definition(graph, data):
    following = {number: node.successors for number, node in enumerate(graph.nodes)}
    tree = Dominance(0, following.__getitem__, following)
    reached = [*tree.children]
    sources = data.draw(st.lists(st.sampled_from(reached), unique=True, min_size=1))
    within = data.draw(st.sets(st.sampled_from(reached)))

    def frontier(node: int) -> set[int]:
        dominated = [below for below in reached if tree.dominates(node, below)]
        border = {successor for below in dominated for successor in following[below]}
        return {b for b in border & within if b == node or not tree.dominates(node, b)}

    expected: set[int] = set()
    while (larger := {b for node in {*sources, *expected} for b in frontier(node)}) != expected:
        expected = larger
    found = Frontiers(tree, following).iterated(sources, within)
    assert len(found) == len(expected)
    assert {*found} == expected


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
    assert places(construct(graph, "cytron")[0]) == places(minimal(graph, "scc"))


@given(graph=graphs())
def test_cytron_never_keeps_fewer_than_the_minimum(graph):
    assert construct(graph, "cytron")[1].kept >= len(places(minimal(graph, "scc")))


@needs_llvm
@given(graph=graphs())
def test_llvm_keeps_what_cytron_keeps_or_simplifies_it_away(graph):
    assert {*places(construct(graph, "llvm")[0])} <= {*places(construct(graph, "cytron")[0])}


@needs_llvm
@given(graph=copyless_graphs)
def test_where_every_write_is_a_new_value_llvm_places_exactly_the_minimum(graph):
    assert places(construct(graph, "llvm")[0]) == places(minimal(graph, "scc"))


@pytest.mark.parametrize("strategy", [*STRATEGIES, "aycock-horspool", "countdown"])
@given(graph=copyless_graphs)
def test_in_reducible_graphs_removing_trivial_parameters_is_enough(strategy, graph):
    assume(is_reducible(graph))
    assert live_places(construct(graph, strategy)[0]) == places(minimal(graph, "scc"))


@given(graph=graphs())
def test_countdown_keeps_what_basic_keeps(graph):
    assert places(construct(graph, "countdown")[0]) == places(construct(graph, "basic")[0])


@given(graph=graphs())
def test_aycock_and_horspool_keep_what_basic_keeps_and_parameters_that_are_never_read(graph):
    function, _ = construct(graph, "aycock-horspool")
    assert {*places(construct(graph, "basic")[0])} <= {*places(function)}


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
    function, _ = construct(graph, "scc")
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


@pytest.mark.parametrize("strategy", CONSTRUCTIONS.values(), ids=CONSTRUCTIONS)
def test_every_row_of_the_tables_creates_a_placement(strategy):
    assert isinstance(strategy.new_placement(), Placement)


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


# ------------------------------------------------------------------------------------------------------- size


def ladder(count: int) -> Graph:
    """One `if` without effect after the other, around a variable."""
    nodes = [Node([], [i + 1, i + 1]) for i in range(count)]
    nodes[0].events = [("write", 0, 1)]
    nodes.append(Node([("show", 0)], []))
    return Graph(1, nodes, list(range(count + 1)))


def loop(count: int) -> Graph:
    """A loop through many joins that changes a variable."""
    graph = ladder(count)
    graph.nodes[-1] = Node([("show", 0), ("write", 0, 2)], [1])
    return graph


def loops(count: int) -> Graph:
    """Loops one after the other, each of which changes a variable."""
    nodes = [Node([("show", 0), ("write", 0, i)], [i, i + 1]) for i in range(count)]
    nodes.append(Node([("show", 0)], []))
    return Graph(1, nodes, list(range(count + 1)))


@every_baseline
@pytest.mark.parametrize(("shape", "kept"), [(ladder, 0), (loops, COUNT)])
def test_twenty_thousand_blocks_do_not_overflow(baseline, shape, kept):
    function, counts = construct(shape(COUNT), baseline)
    if baseline == "two-phase":
        minimise(Program([function]))
        assert len(places(function)) == kept
    else:
        assert counts.kept == kept


def nested_loops(depth: int, strategy: str) -> Counts:
    """Loops within loops, around which a variable does not change."""
    builder = Builder(strategy)
    x = Variable("x", INT)
    function = builder.function("f", [x], INT)
    open_loops = []
    for _ in range(depth):
        header, body, leave = map(builder.continuation, ["while", "body", "exit"])
        builder.jump(header)
        builder.enter(header)
        builder.branch(builder.primitive("<", builder.read_variable(x), Constant(INT, 0)), body, leave)
        builder.seal(body)
        builder.enter(body)
        open_loops.append((header, leave))
    for header, leave in reversed(open_loops):
        builder.jump(header)
        builder.seal(header)
        builder.seal(leave)
        builder.enter(leave)
    builder.ret(builder.read_variable(x))
    builder.finish()
    return builder.counts[function]


@pytest.mark.parametrize("strategy", [*STRATEGIES, "cytron", "aycock-horspool"])
def test_a_parameter_removed_from_each_of_ten_thousand_nested_loops(strategy):
    count = size(10_000)
    counts = nested_loops(count, strategy)
    assert counts.kept == 0
    assert counts.placed == {"cytron": 0, "aycock-horspool": 3 * count}.get(strategy, count)


@every_construction
@pytest.mark.parametrize("shape", [ladder, loop, loops])
def test_look_ups_grow_with_the_graph(strategy, shape):
    few, many = (construct(shape(count), strategy)[1].lookups for count in (100, 400))
    assert many <= 4 * few
