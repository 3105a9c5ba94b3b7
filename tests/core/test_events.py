"""The events of a construction, compared with the state of its blocks at each event."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpsconv import Program, Source, pretty
from cpsconv.core.construction import STRATEGIES, Block, Builder, Variable
from cpsconv.core.construction import events as e
from cpsconv.core.construction.block import Placed, resolve
from cpsconv.core.ir import INT, Constant, Undef, Value
from cpsconv.core.simplify import SIMPLIFICATIONS
from cpsconv.languages import read
from cpsconv.pipeline import construct
from testing.graphs import Construction, Graph, build, graphs

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.while"))


class Watcher:
    """An observer that fails if an event contradicts the state of the construction or earlier events."""

    def __init__(self, strategy: str) -> None:
        self.builder = Builder(strategy, observer=self)
        self.seen: list[e.Event] = []
        self.asked: e.Read | None = None
        self.marked: set[Block] = set()
        self.to_place: list[Block] = []

    def __call__(self, event: e.Event) -> None:
        builder = self.builder
        self.seen.append(event)
        match event:
            case e.Create(block):
                assert not block.filled and not block.sealed and not block.predecessors
            case e.Enter(block):
                assert builder.current is block and not block.filled
            case e.Write(variable, block, value):
                assert builder.current is block and block.definitions[variable] is value
            case e.Compute(block, statement, operands):
                assert block.continuation.body[-1] is statement and statement.operands == operands
            case e.Fill(block, ending):
                assert block.filled and builder.current is None
                assert len(ending.edges) == len(block.continuation.transfer.edges)
            case e.Seal(block):
                assert block.sealed
            case e.Read(_, block):
                assert self.asked is None and builder.current is block
                self.asked = event
            case e.Answer(variable, block, value):
                assert self.asked and (variable, block) == (self.asked.variable, self.asked.block)
                assert block.definitions[variable] is value or resolve(block.definitions[variable]) is value
                self.asked = None
                assert not self.to_place
            case e.Walk(variable, passed, end, value):
                self.check_walk(variable, passed, end, value)
            case e.Proxy(parameter):
                assert not parameter.block.sealed and parameter.arguments is None
            case e.Place(parameter):
                assert parameter.block.sealed
                # In the paper, a variable that is read before it is written gets a parameter of the entry.
                assert len(parameter.block.predecessors) > 1 or not parameter.block.predecessors
                assert parameter.arguments is None and (
                    self.builder.strategy == "paper" or parameter.block.predecessors
                )
                if parameter.block in self.to_place:
                    self.to_place.remove(parameter.block)
            case e.Mark(variable, join):
                assert len(join.predecessors) > 1 and variable not in join.definitions
                self.marked.add(join)
            case e.Cycle(variable, join):
                assert join in self.marked and variable not in join.definitions
            case e.Agree(variable, join, value):
                answers = [each.definitions[variable] for each in join.predecessors]
                assert {resolve(answer) for answer in answers} == {value}
            case e.Component(variable, joins, entering):
                distinct = {value for values in entering for value in values}
                assert not any(variable in join.definitions for join in joins)
                if len(distinct) > 1:
                    self.to_place += [join for join, values in zip(joins, entering, strict=True) if values]
            case e.Complete(parameter, arguments):
                assert len(arguments) == len(parameter.block.predecessors) and parameter.arguments == [*arguments]
            case e.Keep(parameter, witnesses, distinct):
                assert len(set(witnesses) - {parameter}) == 2 and set(witnesses) <= received(parameter)
                assert set(distinct) == received(parameter) and len(distinct) == len(set(distinct))
            case e.Remove(parameter, value, again):
                assert received(parameter) <= {resolve(parameter)} and parameter.forward is value
                assert parameter not in again

    def check_walk(self, variable: Variable, passed: Collection[Block], end: Block, value: Value | None) -> None:
        path = [*passed, end]
        for block, before in pairwise(path):
            assert block.predecessors == [before]
            assert variable not in block.definitions or (block is end and isinstance(value, Undef))
        if value is None:
            assert self.builder.strategy == "paper" or len(end.predecessors) > 1 or end.is_open_for(variable)
        elif variable in end.definitions or not isinstance(value, Undef):
            assert resolve(end.definitions[variable]) is value


def received(parameter: Placed) -> set[Value]:
    """The values, other than itself, that the parameter currently receives."""
    return {resolve(argument) for argument in parameter.arguments or ()} - {parameter}


@given(graphs(), st.sampled_from([*STRATEGIES]))
def test_every_event_describes_the_state_of_the_construction(graph: Graph, strategy: str) -> None:
    watcher = Watcher(strategy)
    Construction(graph, watcher.builder)
    assert isinstance(watcher.seen[0], e.Open) and isinstance(watcher.seen[-1], e.Close)
    assert watcher.asked is None
    assert watcher.builder.placed == sum(isinstance(event, (e.Place, e.Proxy)) for event in watcher.seen)
    assert watcher.builder.removed == sum(isinstance(event, e.Remove) for event in watcher.seen)


@given(graphs(), st.sampled_from([*STRATEGIES]))
def test_an_observed_builder_builds_the_same_function(graph: Graph, strategy: str) -> None:
    observed = build(graph, strategy, lambda event: None)
    assert pretty(Program([observed])) == pretty(Program([build(graph, strategy)]))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
@pytest.mark.parametrize("simplify", [(), tuple(SIMPLIFICATIONS)], ids=["plain", "optimised"])
def test_an_observed_conversion_gives_the_same_program(path: Path, simplify: tuple[str, ...]) -> None:
    lowering = read("while", Source(path.name, path.read_text()))
    seen: list[e.Event] = []
    observed = construct(lowering, Builder("scc", simplify, seen.append), [])
    assert pretty(observed) == pretty(construct(lowering, Builder("scc", simplify), []))
    assert sum(isinstance(event, e.Close) for event in seen) == len(observed.functions)
    assert any(isinstance(event, e.Read) and event.span for event in seen)


def test_a_simplified_operation_is_reported_with_its_value() -> None:
    seen: list[e.Event] = []
    b = Builder(simplify=SIMPLIFICATIONS, observer=seen.append)
    x = Variable("x", INT)
    b.function("f", [x], INT)
    doubled = b.primitive("*", b.read_variable(x), Constant(INT, 2))
    again = b.primitive("*", b.read_variable(x), Constant(INT, 2))
    b.ret(b.primitive("+", again, Constant(INT, 0)))
    simplified = [event for event in seen if isinstance(event, e.Simplify)]
    assert simplified[-1].op == "+" and simplified[-1].value is doubled
    assert len([event for event in seen if isinstance(event, e.Compute)]) == 1
