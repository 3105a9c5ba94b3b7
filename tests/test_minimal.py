"""Minimality, judged by the definition of a redundant set and by Algorithm 5 of the paper."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpsconv.analysis.scc import strongly_connected_components
from cpsconv.construction import STRATEGIES
from cpsconv.ir import INT, Constant, Function, Parameter, Program, Value
from cpsconv.transform import minimise
from cpsconv.transform.minimality import redundant_parameters
from tests.graphs import build, graphs, walk_function, walk_graph

every_strategy = pytest.mark.parametrize("strategy", STRATEGIES)


Columns = dict[Parameter, list[Value]]


def received(function: Function) -> Columns:
    """For every parameter of a local continuation, what it receives."""
    values: Columns = {p: [] for k in function.continuations for p in k.parameters}
    for member in function.members():
        for edge in member.transfer.edges:
            for parameter, argument in zip(getattr(edge.target, "parameters", ()), edge.arguments, strict=False):
                values[parameter].append(argument)
    return values


def has_redundant_set(values: Columns) -> bool:
    """By definition: is there a value, and a set of parameters that receive only it and each other?

    For each value, the largest candidate is what is left after striking out, as long as there are any, parameters that
    receive something else.
    """
    for value in {id(v): v for column in values.values() for v in column}.values():
        left = {p for p in values if p is not value}
        while struck := {p for p in left if any(v is not value and v not in left for v in values[p])}:
            left -= struck
        if any(value in values[p] for p in left):
            return True
    return False


def algorithm_5(values: Columns) -> dict[Parameter, Value]:
    """Algorithm 5 as the paper has it, with recursion: what replaces each redundant parameter."""
    replaced: dict[Any, Value] = {}

    def final(value):
        while value in replaced:
            value = replaced[value]
        return value

    def process(parameters):
        def operands(parameter):
            return [v for v in map(final, values[parameter]) if v in parameters]

        for component in strongly_connected_components(list(parameters), operands):
            columns = {p: [v for v in map(final, values[p]) if v not in component] for p in component}
            outer = {v for column in columns.values() for v in column}
            if len(outer) == 1:
                replaced.update(dict.fromkeys(component, outer.pop()))
            elif outer:
                process({p for p, column in columns.items() if not column})

    process(set(values))
    return {parameter: final(value) for parameter, value in replaced.items()}


@every_strategy
@given(graph=graphs(most_nodes=20, most_variables=2))
def test_the_same_parameters_are_redundant_as_by_algorithm_5(strategy, graph):
    function = build(graph, strategy)
    assert redundant_parameters(received(function)) == algorithm_5(received(function))


@every_strategy
@given(graph=graphs())
def test_no_redundant_set_is_left(strategy, graph):
    function = build(graph, strategy)
    minimise(Program([function]))
    assert not has_redundant_set(received(function))


@given(graph=graphs())
def test_all_strategies_keep_the_same_number_of_parameters(graph):
    kept = set()
    for strategy in STRATEGIES:
        function = build(graph, strategy)
        minimise(Program([function]))
        kept.add(sum(len(k.parameters) for k in function.continuations))
    assert len(kept) == 1


@every_strategy
@given(graph=graphs(), choices=st.lists(st.integers(0, 1), max_size=30))
def test_every_path_still_shows_the_values_last_assigned(strategy, graph, choices):
    function = build(graph, strategy)
    minimise(Program([function]))
    expected = walk_graph(graph, choices)
    assert walk_function(function, choices, len(expected)) == expected


def test_figure_6_the_inner_component_carries_a_single_value():
    p = [Parameter(INT, f"p{i}") for i in range(5)]
    start, plus = Constant(INT, 0), Constant(INT, 1)
    graph: Columns = {
        p[0]: [start, plus],
        p[1]: [p[0], p[2]],
        p[2]: [plus, p[1], p[3]],
        p[3]: [p[4], p[2]],
        p[4]: [p[3], p[2]],
    }
    assert redundant_parameters(graph) == {p[3]: p[2], p[4]: p[2]}


def test_a_set_replaced_by_a_parameter_that_is_itself_replaced_ends_at_the_last_value():
    p = [Parameter(INT, f"p{i}") for i in range(4)]
    value = Constant(INT, 0)
    graph: Columns = {p[0]: [value, p[1]], p[1]: [p[0], value], p[2]: [p[1], p[3]], p[3]: [p[2], p[1]]}
    assert redundant_parameters(graph) == dict.fromkeys(p, value)
