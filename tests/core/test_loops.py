"""Loops and their nesting, judged by their definitions on arbitrary graphs."""

from __future__ import annotations

import random
from collections.abc import Collection
from functools import partial

from hypothesis import given, settings

from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.analysis.loops import Loop, LoopNest
from testing.counting import growth, lines_executed
from testing.effort import examples
from testing.plain_graphs import Graph, graphs, reached


def restricted(graph: Graph, nodes: Collection[int]) -> Graph:
    return {node: [other for other in graph[node] if other in nodes] for node in nodes}


def components(graph: Graph) -> set[frozenset[int]]:
    """The sets of several nodes that all reach each other."""
    from_each = {node: reached(graph, node) for node in graph}
    found = {frozenset(other for other in from_each[node] if node in from_each[other]) for node in graph}
    return {each for each in found if len(each) > 1}


def defined_loops(graph: Graph) -> dict[frozenset[int], set[int]]:
    """The nodes of each loop, by the definitions, with the entries of the loop."""
    dominated = {node: set(graph) - reached(graph, 0, without=node) for node in graph}
    back = {(node, other) for node in graph for other in graph[node] if node in dominated[other]}
    natural = {}
    for header in {other for _, other in back}:
        inside = restricted(graph, dominated[header])
        ends = {node for node, other in back if other == header}
        natural[header] = frozenset(
            node for node in inside if ends & reached(inside, node, without=header) or node == header
        )
    forward = {node: [other for other in graph[node] if (node, other) not in back] for node in graph}
    irreducible = [
        component.union(*(natural[node] for node in component if node in natural)) for component in components(forward)
    ]
    return {
        loop: {node for node in loop if node == 0 or any(node in graph[other] for other in graph if other not in loop)}
        for loop in [*natural.values(), *irreducible]
    }


def nest_of(graph: Graph) -> LoopNest[int]:
    return LoopNest(Dominance(0, graph.__getitem__, graph), graph.__getitem__)


def contents(nest: LoopNest[int]) -> dict[Loop[int], set[int]]:
    """The nodes of each loop of the nest."""
    found: dict[Loop[int], set[int]] = {}
    for node, innermost in nest.innermost.items():
        loop: Loop[int] | None = innermost
        while loop:
            found.setdefault(loop, set()).add(node)
            loop = loop.around
    return found


def nested_loops(choose: random.Random) -> Graph:
    """Loops in loops, with one or two entries: a random graph of some nodes has few of them."""
    graph: Graph = {0: [1], 1: []}
    for _ in range(choose.randint(2, 5)):
        node, first, second = choose.choice([*graph][1:]), len(graph), len(graph) + 1
        if choose.random() < 0.5:
            graph[first] = [node]
            graph[node] = [*graph[node], first]
        else:
            graph[first], graph[second] = [second], [first, *graph[node]]
            graph[node] = [first, second]
    return graph


def test_nested_loops_are_those_of_the_definition() -> None:
    for seed in range(100):
        require_defined_loops(nested_loops(random.Random(seed)))


@settings(max_examples=examples(500))
@given(graphs())
def test_loops_are_those_of_the_definition_and_nest_by_inclusion(graph: Graph) -> None:
    require_defined_loops(restricted(graph, reached(graph, 0)))


def require_defined_loops(graph: Graph) -> None:
    """Compare the loops that are found with the definitions."""
    found = contents(nest_of(graph))
    expected = defined_loops(graph)
    assert sorted(map(sorted, found.values())) == sorted(map(sorted, expected))
    for loop, nodes in found.items():
        assert set(loop.entries) == expected[frozenset(nodes)]
        assert loop.irreducible == (len(loop.entries) > 1)
        larger = [other for other in expected if other > nodes]
        if loop.around:
            assert found[loop.around] == min(larger, key=len)
        else:
            assert not larger


@settings(max_examples=examples(300))
@given(graphs())
def test_the_outermost_loops_are_the_strongly_connected_components(graph: Graph) -> None:
    graph = restricted(graph, reached(graph, 0))
    alone = {frozenset([node]) for node in graph if node in graph[node]}
    outermost = {frozenset(nodes) for loop, nodes in contents(nest_of(graph)).items() if loop.around is None}
    inside = {node for component in components(graph) for node in component}
    assert outermost == components(graph) | {each for each in alone if not each & inside}


@settings(max_examples=examples(300))
@given(graphs())
def test_without_back_edges_and_retreating_edges_the_graph_is_acyclic(graph: Graph) -> None:
    graph = restricted(graph, reached(graph, 0))
    nest = nest_of(graph)
    edges = [(node, other) for node in graph for other in graph[node]]
    back = {edge for edge in edges if nest.is_back(*edge)}
    retreating = {edge for edge in edges if nest.is_retreating(*edge)}
    assert back == {(node, other) for node, other in edges if node not in reached(graph, 0, without=other)}
    left = {
        node: [other for other in graph[node] if (node, other) not in back | retreating and node != other]
        for node in graph
    }
    assert not components(left)
    assert not back & retreating
    found = contents(nest)
    for node, other in retreating:
        assert any(loop.irreducible and {node, other} <= nodes for loop, nodes in found.items())
    assert bool(retreating) == any(loop.irreducible for loop in found)


def test_a_loop_within_a_loop() -> None:
    nest = nest_of({0: [1], 1: [2, 4], 2: [3, 1], 3: [2], 4: []})
    inner, outer = nest.innermost[3], nest.innermost[1]
    assert (inner.entries, outer.entries, inner.around) == ([2], [1], outer)
    assert nest.innermost[2] is inner
    assert 4 not in nest.innermost


def test_a_loop_with_two_entries_contains_the_natural_loops_whose_headers_it_contains() -> None:
    nest = nest_of({0: [1, 2], 1: [2, 3], 2: [1], 3: [1]})
    inner = nest.innermost[3]
    assert inner.entries == [1]
    assert inner.around is nest.innermost[2]
    assert inner.around.irreducible


def nested(depth: int) -> Graph:
    """Loops within each other, and a last node."""
    graph = {node: [node + 1] for node in range(depth)}
    graph |= {depth + number: [depth - 1 - number, depth + number + 1] for number in range(depth)}
    return {**graph, 2 * depth: []}


def test_thousands_of_loops_within_each_other_are_found_in_linear_time() -> None:
    loop: Loop[int] | None = nest_of(nested(2_000)).innermost[2_000]
    depth = 0
    while loop:
        depth, loop = depth + 1, loop.around
    assert depth == 2_000
    sizes = [100, 400]
    assert growth([lines_executed(partial(nest_of, nested(size))) for size in sizes], sizes) < 1.05
