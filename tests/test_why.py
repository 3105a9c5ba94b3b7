"""Explanations: the evidence fits the paper's definitions, and the command shows it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv.analysis.graph import successors
from cpsconv.build.recorder import Recorder
from cpsconv.cli import main
from cpsconv.convert import convert
from cpsconv.explain import as_json, draw, why
from cpsconv.explain.disjoint import two_disjoint_paths
from cpsconv.explain.evidence import Meeting, Reaching, Redundant, TwoValues
from cpsconv.ir import Continuation, Function, Program
from cpsconv.record import FunctionRecord, SourceVariable
from cpsconv.source import DiagnosticError, Source, read_source
from cpsconv.text import names, parse
from cpsconv.transform import minimise
from tests.expectations import CORPUS, EXAMPLES
from tests.graphs import Graph, _Construction, graphs

strategies = st.sampled_from(["basic", "marker", "scc"])

# ------------------------------------------------------------------------------------------------------- evidence


class Recorded:
    """A graph, constructed by a Builder that takes down what it is told, and made minimal."""

    def __init__(self, graph: Graph, strategy: str) -> None:
        self.graph = graph
        construction = _Construction(graph, strategy)
        builder = construction.builder = Recorder(strategy)
        self.function, _ = construction.run()
        self.variables = construction.variables
        self.program, self.record = Program([self.function]), builder.record
        minimise(self.program)
        self.listed = {member.name for member in self.function.continuations}

    def assigns(self, member: Continuation, variable: SourceVariable) -> bool:
        """Whether one of the blocks that `member` consists of assigns to the variable; the entry always does."""
        number = self.variables.index(variable)
        return member is self.function or any(
            event[0] != "show" and event[1] == number for block in self._blocks(member) for event in block.events
        )

    def _blocks(self, member: Continuation) -> Iterator:
        at = int(member.name[1:])
        yield self.graph.nodes[at]
        while len(self.graph.nodes[at].successors) == 1 and f"k{self.graph.nodes[at].successors[0]}" not in self.listed:
            at = self.graph.nodes[at].successors[0]
            yield self.graph.nodes[at]

    def shown(self, member: Continuation) -> str:
        return member.name if member is self.function else names(self.function)[member]


def assert_converges(found: Meeting, function: Function) -> None:
    """Definition 1, for two non-null paths."""
    first, second = (way.path for way in found.ways)
    for path in first, second:
        assert len(path) > 1
        assert all(following in successors(member) for member, following in zip(path, path[1:], strict=False))
    assert first[0] is not second[0]  # (1)
    assert first[-1] is found.home is second[-1]  # (2)
    for j, left in enumerate(first):  # (3)
        for k, right in enumerate(second):
            assert left is not right or j == len(first) - 1 or k == len(second) - 1


@settings(max_examples=400)
@given(graphs(), strategies)
def test_each_parameter_of_a_graph_is_necessary_by_the_definition(graph: Graph, strategy: str) -> None:
    recorded = Recorded(graph, strategy)
    for member in recorded.function.continuations:
        for parameter in member.parameters:
            name = names(recorded.function)[parameter]
            (found,) = why(recorded.program, recorded.record, name).answers
            assert isinstance(found, Meeting)
            assert (found.home, found.parameter) == (member, parameter)
            assert_converges(found, recorded.function)
            for way in found.ways:
                assert recorded.assigns(way.path[0], found.variable)  # Definition 2
                assert not any(recorded.assigns(between, found.variable) for between in way.path[1:-1])


@settings(max_examples=300)
@given(graphs(), strategies)
def test_the_definitions_that_reach_a_variable_are_those_of_the_data_flow(graph: Graph, strategy: str) -> None:
    recorded = Recorded(graph, strategy)
    for variable in recorded.variables:
        if not any(event[1] == recorded.variables.index(variable) for node in graph.nodes for event in node.events):
            continue  # no Builder ever heard of it
        for member in recorded.function.continuations:
            try:
                (found,) = why(recorded.program, recorded.record, f"{variable.name}@{recorded.shown(member)}").answers
            except DiagnosticError:
                continue  # it occurs in unreachable blocks only
            if isinstance(found, Reaching):
                shown = {each.continuation for each in found.assignments} | {home for home, _ in found.parameters}
                assert shown == reaching_by_data_flow(recorded, variable)[member]


def reaching_by_data_flow(recorded: Recorded, variable: SourceVariable) -> dict[Continuation, set[Continuation]]:
    """For each continuation those that define the variable last before it, by iteration until nothing changes."""
    parameters = {member for member in recorded.function.continuations if any(p.name == variable.name for p in member.parameters)}
    reaching: dict[Continuation, set[Continuation]] = {member: set() for member in recorded.function.members()}
    changed = True
    while changed:
        changed = False
        for member in recorded.function.members():
            defines = recorded.assigns(member, variable) or member in parameters
            leaving = {member} if defines else reaching[member]
            for following in successors(member):
                if not leaving <= reaching[following]:
                    reaching[following] |= leaving
                    changed = True
    return reaching


@pytest.mark.parametrize("path", EXAMPLES + CORPUS, ids=lambda path: path.stem)
def test_each_parameter_of_the_corpus_has_its_evidence(path: Path) -> None:
    record: dict[Function, FunctionRecord] = {}
    program = convert(read_source(str(path)), record=record)
    again = parse(Source("again.cps", as_text(program)))
    for function, copy in zip(program.functions, again.functions, strict=True):
        shown = names(function, [each.name for each in program.functions])
        for member in function.continuations:
            for parameter in member.parameters:
                explanation = why(program, record, shown[parameter], function.name)
                (found,) = explanation.answers
                if isinstance(found, Meeting):
                    assert_converges(found, function)
                    (by_value,) = why(again, {}, shown[parameter], copy.name).answers
                    assert isinstance(by_value, TwoValues)
                assert draw(explanation) and as_json(explanation)


def as_text(program: Program) -> str:
    from cpsconv.text import pretty

    return pretty(program)


@settings(max_examples=300)
@given(graphs(), strategies)
def test_without_variables_two_values_come_by_separate_chains(graph: Graph, strategy: str) -> None:
    recorded = Recorded(graph, strategy)
    for member in recorded.function.continuations:
        for parameter in member.parameters:
            (found,) = why(recorded.program, {}, names(recorded.function)[parameter]).answers
            assert isinstance(found, TwoValues)
            for chain in found.chains:
                assert chain[-1].parameter is parameter
                assert all(one.parameter is next.value for one, next in zip(chain, chain[1:], strict=False))
                for passing in chain:
                    index = passing.edge.target.parameters.index(passing.parameter)
                    assert passing.edge in passing.sender.transfer.edges
                    assert passing.edge.arguments[index] is passing.value
            first, second = ({passing.value for passing in chain} for chain in found.chains)
            assert not first & second


@settings(max_examples=500)
@given(st.lists(st.lists(st.integers(0, 8), max_size=3), min_size=9, max_size=9))
def test_two_disjoint_paths_are_found_unless_one_node_is_on_all_paths(arcs: list[list[int]]) -> None:
    arcs[0] = [node for node in arcs[0] if node != 8]
    found = two_disjoint_paths(0, 8, arcs.__getitem__)
    assert (found is not None) is all(reaches(arcs, without) for without in [None, *range(1, 8)])
    if found:
        assert set(found[0]) & set(found[1]) == {0, 8}
        for path in found:
            assert len(set(path)) == len(path)
            assert all(following in arcs[node] for node, following in zip(path, path[1:], strict=False))


def reaches(arcs: list[list[int]], without: int | None) -> bool:
    pending = [0]
    for node in pending:
        pending += [next for next in dict.fromkeys(arcs[node]) if next != without and next not in pending]
    return 8 in pending


# ----------------------------------------------------------------------------------------------------- what is shown

PROGRAM = """\
int f(int x, int c) {
    int a;
    int k = 3;
    if (x == 0) {
        if (c) a = 1;
    } else {
        a = 2;
    }
    while (c) {
        c--;
        if (x) { x--; a = a + 1; }
    }
    switch (x) { case 1: case 2: return a; case 3: x = k; }
    return x;
}
"""


def told(name: str, text: str = PROGRAM, file: str = "test.c") -> str:
    record: dict[Function, FunctionRecord] = {}
    program = convert(Source(file, text), record=record)
    return "\n" + draw(why(program, record, name))


def test_two_assignments_meet_at_a_join() -> None:
    assert (
        told("a1")
        == """
"""
    )
