"""Analyses of continuation graphs, judged by their definitions."""

from __future__ import annotations

import copy
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv.core import ir
from cpsconv.core.analysis.dominance import Dominance, DominatorTree, immediate_dominators
from cpsconv.core.analysis.dominance_frontiers import Frontiers, frontiers
from cpsconv.core.analysis.dominator_forest import DominatorForest
from cpsconv.core.analysis.graph import depth_first, incoming, reachable, reverse_postorder, successors
from cpsconv.core.analysis.outcomes import outcomes
from cpsconv.core.analysis.scc import strongly_connected_components
from testing.counting import growth, lines_executed
from testing.effort import examples, randoms
from testing.ir_programs import programs
from testing.isomorphism import same_program
from testing.plain_graphs import Graph, graphs, reached


@given(graphs())
def test_depth_first_preorder_visits_each_reachable_node_once_after_its_parent(graph: Graph) -> None:
    visited: list[int] = []
    for node, parent in depth_first([0], graph.__getitem__):
        assert parent is None if node == 0 else parent in visited and node in graph[parent]
        visited.append(node)
    assert sorted(visited) == sorted(reached(graph, 0))


@given(graphs())
def test_a_node_dominates_the_nodes_that_are_unreachable_without_it(graph: Graph) -> None:
    parent = immediate_dominators(0, graph.__getitem__)
    everything = reached(graph, 0)
    assert parent.keys() == everything - {0}
    for node in parent:
        chain = {node}
        above = node
        while above in parent:
            above = parent[above]
            chain.add(above)
        assert chain == {other for other in everything if node not in reached(graph, 0, without=other)}


@given(graphs(), st.data())
def test_the_iterated_frontier_satisfies_its_definition(graph: Graph, data: st.DataObject) -> None:
    tree = Dominance(0, graph.__getitem__, range(len(graph)))
    nodes = [*tree.children]
    sources = data.draw(st.lists(st.sampled_from(nodes), unique=True, min_size=1))
    within = data.draw(st.sets(st.sampled_from(nodes)))

    def frontier(node: int) -> set[int]:
        border = {to for below in nodes if tree.dominates(node, below) for to in graph[below]}
        return {to for to in border & within if to == node or not tree.dominates(node, to)}

    expected: set[int] = set()
    while (larger := {to for node in {*sources, *expected} for to in frontier(node)}) != expected:
        expected = larger
    found = Frontiers(tree, graph).iterated(sources, within)
    assert len(found) == len(expected)
    assert {*found} == expected


@given(graphs())
def test_the_frontier_of_a_node_has_the_targets_of_edges_that_leave_its_subtree(graph: Graph) -> None:
    tree = Dominance(0, graph.__getitem__, range(len(graph)))
    found = frontiers(tree, graph.__getitem__)
    assert found.keys() == tree.children.keys()
    for node, border in found.items():
        leaving = {to for below in found if tree.dominates(node, below) for to in graph[below]}
        assert sorted(border) == sorted(to for to in leaving if to == node or not tree.dominates(node, to))


@given(programs())
def test_dominance_by_intervals_equals_dominance_by_parent_chains(program: ir.Program) -> None:
    for function in program.functions:
        tree = DominatorTree(function)
        members = reachable(function)
        for below in members:
            chain = {below}
            above = below
            while above in tree.parent:
                above = tree.parent[above]
                chain.add(above)
            assert {other for other in members if tree.dominates(other, below)} == chain
        for member, children in tree.children.items():
            positions = [function.continuations.index(child) for child in children]
            assert positions == sorted(positions)
            assert all(tree.parent[child] is member for child in children)


@given(programs())
def test_random_walks_meet_every_dominator(program: ir.Program) -> None:
    source = random.Random(1)
    for function in program.functions:
        tree = DominatorTree(function)
        for _ in range(5):
            member: ir.Continuation = function
            met: set[ir.Continuation] = {function}
            while (following := successors(member)) and len(met) < 20 and source.random() < 0.95:
                member = source.choice(following)
                assert member is function or tree.parent[member] in met
                met.add(member)


@given(programs())
def test_reverse_postorder_lists_each_once_and_dominators_first(program: ir.Program) -> None:
    for function in program.functions:
        order = reverse_postorder(function)
        assert len(order) == len(set(order)) and set(order) == set(reachable(function))
        position = {member: index for index, member in enumerate(order)}
        assert all(position[above] < position[below] for below, above in DominatorTree(function).parent.items())


@given(graphs())
def test_components_are_the_classes_of_mutual_reachability(graph: Graph) -> None:
    components = list(strongly_connected_components(graph, graph.__getitem__))
    assert sorted(node for component in components for node in component) == sorted(graph)
    emitted: set[int] = set()
    for component in components:
        for node in component:
            assert set(component) == {other for other in reached(graph, node) if node in reached(graph, other)}
            assert reached(graph, node) <= emitted | set(component)
        emitted.update(component)


def test_incoming_edges_are_listed_one_by_one() -> None:
    join = ir.Continuation("join", [ir.Parameter(ir.INT, "a")], transfer=ir.Jump(ir.Edge(ir.ABORT)))
    edges = ir.Edge(join, [ir.Constant(ir.INT, 1)]), ir.Edge(join, [ir.Constant(ir.INT, 2)])
    function = ir.Function("f", [], transfer=ir.Branch(ir.Constant(ir.INT, 0), *edges), continuations=[join])
    assert incoming(function) == {join: [(function, edges[0]), (function, edges[1])]}


def test_a_continuation_that_is_passed_on_counts_as_a_successor() -> None:
    passed = ir.Continuation("passed", transfer=ir.Jump(ir.Edge(ir.ABORT)))
    taker = ir.Parameter(ir.ContinuationType((passed.type,)), "taker")
    function = ir.Function("f", [taker], transfer=ir.Jump(ir.Edge(taker, [passed])), continuations=[passed])
    assert successors(function) == [passed]
    assert incoming(function) == {passed: []}


def test_dominance_of_a_deep_mesh_is_found_in_near_linear_time() -> None:
    def work(size: int) -> int:
        """The work on a graph in which each node leads forwards, and far back."""
        mesh = {node: [min(node + 1, size), min(node + 2, size), size - node] for node in range(size + 1)}
        return lines_executed(lambda: immediate_dominators(0, mesh.__getitem__))

    sizes = [500, 2_000]
    assert growth([work(size) for size in sizes], sizes) < 1.05


# ------------------------------------------------------------------------------------------------- same program


@given(programs(), randoms())
def test_a_program_equals_its_copy_under_other_names_and_in_another_order(
    program: ir.Program, source: random.Random
) -> None:
    other = copy.deepcopy(program, {id(ir.ABORT): ir.ABORT})
    for function in other.functions:
        source.shuffle(function.continuations)
        for member in function.members():
            member.name += "x"
            for named in [*member.parameters, *member.body]:
                named.name = None
    assert same_program(program, other) and same_program(other, program)


@settings(max_examples=examples(200))
@given(programs(), st.data())
def test_a_program_differs_from_itself_with_one_part_changed(program: ir.Program, data: st.DataObject) -> None:
    other = copy.deepcopy(program)
    members = [member for function in other.functions for member in function.members()]
    member = data.draw(st.sampled_from(members))
    change = data.draw(st.sampled_from(["transfer", "parameter", "statement", "function"]))
    if change == "transfer":
        member.transfer = ir.Jump(ir.Edge(ir.ABORT, [ir.Constant(ir.INT, 12345)]))
    elif change == "parameter":
        member.parameters.append(ir.Parameter(ir.INT, "extra"))
    elif change == "statement":
        member.body.append(ir.Primitive("+", (ir.Constant(ir.INT, 1), ir.Constant(ir.INT, 1)), ir.INT))
    else:
        other.functions.append(ir.Function("extra", [], transfer=ir.Jump(ir.Edge(ir.ABORT))))
    assert not same_program(program, other)


def statements_program(*body: ir.Primitive | ir.Effect, result: ir.Value | None = None) -> ir.Program:
    ret = ir.Parameter(ir.ContinuationType((ir.INT,)), "ret")
    return ir.Program([ir.Function("f", [ret], [*body], ir.Jump(ir.Edge(ret, [result or ir.Constant(ir.INT, 0)])))])


def print_effect(value: int | float) -> ir.Effect:
    type = {bool: ir.BOOL, int: ir.INT, float: ir.DOUBLE}[value.__class__]
    return ir.Effect("putchar", (ir.Constant(type, value),), ir.INT)


def test_the_order_of_effects_and_the_sharing_of_values_matter() -> None:
    one, two, other_two = (
        ir.Primitive("+", (ir.Constant(ir.INT, 1), ir.Constant(ir.INT, n)), ir.INT) for n in (1, 2, 2)
    )
    difference = ir.Primitive("-", (one, two), ir.INT)
    swapped = statements_program(two, one, difference, result=difference)
    assert same_program(statements_program(one, two, difference, result=difference), swapped)
    prints = print_effect(1), print_effect(2)
    assert not same_program(statements_program(*prints), statements_program(*prints[::-1]))
    shared, computed = ir.Primitive("*", (two, two), ir.INT), ir.Primitive("*", (two, other_two), ir.INT)
    once = statements_program(two, other_two, shared, result=shared)
    twice = statements_program(two, other_two, computed, result=computed)
    assert not same_program(once, twice) and not same_program(twice, once)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [(0.0, 0.0, True), (0.0, -0.0, False), (float("nan"), float("nan"), True), (1, True, False), (1, 1.0, False)],
)
def test_constants_are_compared_by_type_and_value(first: float, second: float, same: bool) -> None:
    assert same_program(statements_program(print_effect(first)), statements_program(print_effect(second))) is same


def test_long_programs_are_compared_without_recursion() -> None:
    def ladder(size: int) -> ir.Program:
        last = ir.Continuation("k", transfer=ir.Jump(ir.Edge(ir.ABORT)))
        continuations = [last]
        for _ in range(size):
            continuations.append(ir.Continuation("k", transfer=ir.Jump(ir.Edge(continuations[-1]))))
        return ir.Program(
            [ir.Function("f", [], transfer=ir.Jump(ir.Edge(continuations[-1])), continuations=continuations)]
        )

    assert same_program(ladder(2_000), ladder(2_000))
    assert not same_program(ladder(2_000), ladder(1_999))


def test_a_target_of_all_edges_of_a_transfer_has_no_outcome() -> None:
    one, two = (ir.Continuation(name, transfer=ir.Jump(ir.Edge(ir.ABORT))) for name in ("one", "two"))
    number = ir.Constant(ir.INT, 1)

    def decided(*targets: ir.Continuation) -> dict[str, str]:
        *cases, default = map(ir.Edge, targets)
        switch = ir.Switch(number, [*range(len(cases))], cases, default)
        found = outcomes(ir.Function("f", transfer=switch))
        return {target.name: str(outcome) for target, outcome in found.items()}

    assert decided(one, one, one) == {}
    assert decided(one, two, one) == {"one": "this value is 0 or none of the cases", "two": "this value is 1"}


@settings(max_examples=examples(1000))
@given(
    edges=st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), max_size=40),
    skipped=st.sets(st.integers(1, 14), max_size=3),
)
def test_the_forest_has_the_dominators_of_the_graph(edges: list[tuple[int, int]], skipped: set[int]) -> None:
    """Nodes are added in the order of their numbers, the skipped ones without their predecessors."""
    predecessors: dict[int, list[int]] = {node: [] for node in range(15)}
    for one, other in edges:
        if one != other:
            predecessors[max(one, other)].append(min(one, other))
    for node in range(1, 15):
        predecessors[node] = predecessors[node] or [0]
    successors = {node: [to for to in predecessors if node in predecessors[to]] for node in predecessors}
    tree = Dominance(0, successors.__getitem__, predecessors)
    forest: DominatorForest[int] = DominatorForest()
    for node, before in predecessors.items():
        forest.add(node, [] if node in skipped else before)
    for above in predecessors:
        for below in predecessors:
            if skipped:
                assert tree.dominates(above, below) or not forest.dominates(above, below)
            else:
                assert forest.dominates(above, below) == tree.dominates(above, below)
