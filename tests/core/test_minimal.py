"""Minimality, judged by the definition of a redundant set and by Algorithm 5 of the paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpsconv import pretty
from cpsconv.core.construction import STRATEGIES
from cpsconv.core.construction.events import Event, RedundancyCheck, Redundant
from cpsconv.core.ir import INT, Constant, Function, Parameter, Program, Value
from cpsconv.core.transform import minimise
from cpsconv.core.transform.minimality import redundant_parameters
from cpsconv.core.transform.redundant_sccs import remove_redundant_phis
from testing.graphs import build, graphs, walk_function, walk_graph

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


def replaced_as_printed(function: Function) -> tuple[dict[Parameter, Value], list[Event]]:
    """What replaces each redundant parameter by Algorithm 5 as printed, and its events."""
    events: list[Event] = []
    return remove_redundant_phis(function, received(function), events.append), events


@every_strategy
@given(graph=graphs(most_nodes=20, most_variables=2))
def test_the_same_parameters_are_redundant_as_by_algorithm_5(strategy, graph):
    function = build(graph, strategy)
    replaced, _ = replaced_as_printed(function)
    assert redundant_parameters(received(function)) == replaced


@every_strategy
@given(graph=graphs(most_nodes=20, most_variables=2))
def test_algorithm_5_as_printed_examines_each_parameter_with_the_values_that_it_receives_then(strategy, graph):
    function = build(graph, strategy)
    values = received(function)
    now: dict[Value, list[Value]] = {}
    examined: set[Parameter] = set()
    for event in replaced_as_printed(function)[1]:
        if isinstance(event, Redundant):
            for parameter, value in event.replaced.items():
                assert set(values[parameter]) <= {value, *event.replaced}
            new: Mapping[Any, Value] = event.replaced
            values = {p: [new.get(v, v) for v in column] for p, column in values.items() if p not in new}
            continue
        assert isinstance(event, RedundancyCheck)
        members = set(event.members)
        examined |= members
        now = {p: [v for v in values[p] if v not in members] for p in event.members}
        if len(members) > 1:
            assert {*event.outer} == {v for column in now.values() for v in column}
            assert {*event.inner} == {p for p, column in now.items() if not column}
        else:
            assert event.outer == () or {*event.outer} == {*now[event.members[0]]}
    assert examined == set(received(function))


@every_strategy
@given(graph=graphs(most_nodes=20, most_variables=2))
def test_minimising_as_printed_leaves_the_same_program(strategy, graph):
    programs = [Program([build(graph, strategy)]) for _ in range(2)]
    minimise(programs[0])
    minimise(programs[1], as_printed=True)
    assert pretty(programs[0]) == pretty(programs[1])


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
    events: list[Event] = []
    function = Function("f", [])
    assert remove_redundant_phis(function, graph, events.append) == {p[3]: p[2], p[4]: p[2]}
    first, second, inner, replaced = events
    assert first == RedundancyCheck(function, (p[0],), (), ())
    assert isinstance(second, RedundancyCheck) and set(second.members) == set(p[1:])
    assert (set(second.inner), set(second.outer)) == ({p[3], p[4]}, {p[0], plus})
    assert isinstance(inner, RedundancyCheck)
    assert (set(inner.members), set(inner.inner), inner.outer) == ({p[3], p[4]}, set(), (p[2],))
    assert replaced == Redundant(function, {p[3]: p[2], p[4]: p[2]})


def test_a_set_replaced_by_a_parameter_that_is_itself_replaced_ends_at_the_last_value():
    p = [Parameter(INT, f"p{i}") for i in range(4)]
    value = Constant(INT, 0)
    graph: Columns = {p[0]: [value, p[1]], p[1]: [p[0], value], p[2]: [p[1], p[3]], p[3]: [p[2], p[1]]}
    assert redundant_parameters(graph) == dict.fromkeys(p, value)
