"""The figures of the paper: the steps of each construction, compared with those that the paper describes.

Figures 1 to 8 are the programs `examples/fig1.c` to `fig8.c`. `tests/core/test_minimal.py` has the graph of Figure 6.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from cpsconv import Source, convert, pretty
from cpsconv.core.construction import STRATEGIES, Event, Variable
from cpsconv.core.construction import events as e
from cpsconv.core.construction.block import resolve
from cpsconv.core.ir import Constant, Continuation, Jump, Parameter, Primitive, Program, Undef, Value
from cpsconv.pipeline import OPTIMISATIONS
from testing.expectations import FIGURE_8

EXAMPLES = Path(__file__).parent.parent / "examples"
E = TypeVar("E", bound=Event)

as_in_section_2 = pytest.mark.parametrize("strategy", ["paper", "basic"])
every_strategy = pytest.mark.parametrize("strategy", STRATEGIES)


class Replay:
    """The conversion of a figure's example: its events, and the program."""

    def __init__(self, figure: int, strategy: str = "scc", **given: Any) -> None:
        self.events: list[Event] = []
        path = EXAMPLES / f"fig{figure}.c"
        source = Source(path.name, path.read_text("utf-8"))
        self.program: Program = convert(source, strategy=strategy, observer=self.events.append, **given)

    def all(self, kind: type[E], variable: str | None = None) -> list[E]:
        """The events of a kind; only those about variables of that name, if one is given."""
        found = [event for event in self.events if isinstance(event, kind)]
        return [event for event in found if variable is None or variable_of(event).name == variable]

    def one(self, kind: type[E], variable: str | None = None) -> E:
        """The only such event."""
        (event,) = self.all(kind, variable)
        return event

    def look_up(self, read: e.Read) -> list[Event]:
        """The events between the read and its answer."""
        start = self.events.index(read) + 1
        end = next(index for index in range(start, len(self.events)) if isinstance(self.events[index], e.Answer))
        return self.events[start:end]

    def answers(self) -> list[tuple[str, Value]]:
        """The variables read, in order, and their values."""
        return [(event.variable.name, event.value) for event in self.all(e.Answer)]

    def written(self, variable: str) -> list[Value]:
        """The values assigned to a variable after its declaration, in order."""
        return [event.value for event in self.all(e.Write, variable) if not isinstance(event.value, Undef)]

    def in_blocks(self, parameters: Iterable[Value]) -> list[str]:
        """The names of the continuations in which parameters of the program were placed; other values by operation."""
        placed = [event.parameter for event in self.events if isinstance(event, (e.Place, e.Proxy))]
        homes = {resolve(parameter): parameter.block.continuation.name for parameter in placed}
        return [homes[value] if isinstance(value, Parameter) else operation(value) for value in parameters]


def variable_of(event: Any) -> Variable:
    """The variable of an event, or that of its parameter."""
    variable: Variable = event.parameter.variable if hasattr(event, "parameter") else event.variable
    return variable


def operation(value: Value) -> str:
    assert isinstance(value, Primitive)
    return value.op


def name(event: Any) -> str:
    """The name of the continuation that an event is about."""
    found: str = event.block.continuation.name
    return found


# ------------------------------------------------------------------------------------------------------ section 2


@every_strategy
def test_figure_1_every_read_finds_the_value_in_its_own_block(strategy: str) -> None:
    """Local value numbering: v1 = 42, v2 = v1 + v1, v3 = 23, v4 = v2 + v3, v5 = v4 + v?, where v? is a parameter."""
    replay = Replay(1, strategy)
    v2, v4, v5 = (event.statement for event in replay.all(e.Compute))
    v1, b, v_a = replay.written("a")[0], replay.written("b"), replay.written("a")[1]
    (unknown,) = replay.written("d")
    assert isinstance(v1, Constant) and v1.value == 42
    assert b == [v1]  # a copy is no new value
    assert replay.written("c") == [v2, v5] and v_a is v4
    assert replay.answers() == [("a", v1), ("a", v1), ("b", v1), ("c", v2), ("a", v4), ("d", unknown), ("c", v5)]
    assert all(replay.look_up(read) == [] for read in replay.all(e.Read))
    assert v2.operands == (v1, v1) and v4.operands[0] is v2 and v5.operands == (v4, unknown)


@as_in_section_2
def test_figure_2_the_values_are_inserted_in_the_order_of_their_indices(strategy: str) -> None:
    """v0 and v1 are recorded first; the read places v2 in the header, then v3 at the join, and v2 ends the recursion.

    The operands of v3 are in the order of its predecessors: the block of the condition, then the arm.
    """
    replay = Replay(2, strategy)
    v0, v1 = replay.written("x")
    read = replay.one(e.Read, "x")
    assert name(read) == "exit"
    assert all(replay.events.index(write) < replay.events.index(read) for write in replay.all(e.Write, "x"))
    placed = [event.parameter for event in replay.all(e.Place, "x")]
    assert [parameter.block.continuation.name for parameter in placed] == ["while", "next"]
    v2, v3 = placed
    steps = [event for event in replay.look_up(read) if not isinstance(event, e.Record)]
    walks = [(event.end.continuation.name, event.value) for event in steps if isinstance(event, e.Walk)]
    assert walks[0] == ("while", None)  # "the block has only a single predecessor, so no φ function is needed here"
    assert ("f", v0) in walks and ("then", v1) in walks and ("while", v2) in walks
    assert isinstance(steps[1], e.Place) and steps[1].parameter is v2  # before its operands are determined
    completed = [(event.parameter, list(event.arguments)) for event in replay.all(e.Complete, "x")]
    assert completed == [(v3, [v2, v1]), (v2, [v0, v3])]
    assert [event.parameter for event in replay.all(e.Keep, "x")] == [v3, v2]
    assert replay.all(e.Remove, "x") == []


def test_figure_2_each_operand_is_appended_as_soon_as_it_is_found() -> None:
    replay = Replay(2, "paper")
    v0, v1 = replay.written("x")
    v2, v3 = (event.parameter for event in replay.all(e.Place, "x"))
    inserted = [event for event in replay.events if isinstance(event, (e.Place, e.Operand))]
    assert [(type(event), event.parameter) for event in inserted if variable_of(event).name == "x"] == [
        (e.Place, v2), (e.Operand, v2), (e.Place, v3), (e.Operand, v3), (e.Operand, v3), (e.Operand, v2),
    ]  # fmt: skip
    operands = [event.argument for event in replay.all(e.Operand, "x")]
    assert operands == [v0, v2, v1, v3]


@every_strategy
def test_figure_3_blocks_are_filled_and_sealed_in_the_order_of_section_2_3(strategy: str) -> None:
    """Each continuation is sealed as soon as its predecessors are known; `exit` last, because of `break`."""
    steps = [
        (type(event).__name__.lower(), name(event))
        for event in Replay(3, strategy).events
        if isinstance(event, (e.Create, e.Enter, e.Fill, e.Seal))
    ]
    assert steps == [
        ("create", "while"), ("fill", "f"),  # "we construct the while header block and add a control flow edge"
        ("enter", "while"), ("create", "body"), ("create", "exit"), ("fill", "while"),
        ("seal", "body"), ("enter", "body"),  # "no further predecessors will be added to the body entry block"
        ("create", "then"), ("create", "else"), ("create", "next"), ("fill", "body"),
        ("seal", "then"), ("seal", "else"),
        ("enter", "then"), ("fill", "then"), ("enter", "else"), ("fill", "else"),
        ("seal", "next"), ("enter", "next"), ("fill", "next"),  # "all the blocks forming the body are sealed"
        ("seal", "while"),  # "we add the edge back to the while header and seal the while header"
        ("seal", "exit"), ("enter", "exit"), ("fill", "exit"),  # "in the last step, we seal the while exit block"
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------------------ section 3


@every_strategy
def test_figure_4_optimised_on_the_fly_the_function_returns_its_parameter(strategy: str) -> None:
    replay = Replay(4, strategy, optimise=OPTIMISATIONS)
    (v0,) = replay.written("x")
    (v1,) = replay.written("mask")
    simplified = [event for event in replay.all(e.Simplify) if event.op == "&"]
    assert [[*event.operands] for event in simplified] == [[v0, v1]]
    (v2,) = [event.value for event in simplified]  # "the arithmetic simplification triggers": 0, as v1
    assert isinstance(v1, Constant) and isinstance(v2, Constant) and v1.value == v2.value == 0
    assert replay.one(e.Decide).constant.value is False  # "constant propagation folds the comparison with zero"
    assert [name(event) for event in replay.all(e.Unreachable)] == ["then"]  # "we can omit the then part"
    assert replay.written("res") == [v0]  # "we perform copy propagation by registering v0 as value for res"
    assert not replay.all(e.Compute) and not replay.all(e.Place)
    assert pretty(replay.program) == "foo(x : int, ret : int → ⊥) → ⊥ {\n  ret(x)\n}\n"


@every_strategy
def test_figure_4_without_optimisation_the_join_has_a_phi(strategy: str) -> None:
    replay = Replay(4, strategy)
    (v0,) = replay.written("x")
    complete = replay.one(e.Complete)
    zero, x = complete.arguments
    assert name(complete.parameter) == "next" and x is v0
    assert isinstance(zero, Constant) and zero.value == 0
    assert [event.statement.op for event in replay.all(e.Compute)] == ["&", "!="]


@as_in_section_2
def test_figure_5_two_phis_are_left_and_removed_by_algorithm_5(strategy: str) -> None:
    """v1 = φ(v0, v2) and v2 = φ(v0, v1), one at each entry of the loop, both for the only definition v0."""
    replay = Replay(5, strategy)
    (v0,) = replay.written("x")
    v1, v2 = (event.parameter for event in replay.all(e.Place, "x"))
    assert [name(v1), name(v2)] == ["while", "second_loop_entry"]
    completed = {event.parameter: [*event.arguments] for event in replay.all(e.Complete, "x")}
    assert completed == {v1: [v0, v2], v2: [v0, v1]}
    assert replay.all(e.Remove, "x") == []  # neither is trivial
    assert replay.one(e.Redundant).replaced == {resolve(v1): v0, resolve(v2): v0}


def test_figure_5_the_two_phis_are_one_scc_with_one_outer_operand() -> None:
    replay = Replay(5, "paper")
    (v0,) = replay.written("x")
    (check,) = [event for event in replay.all(e.RedundancyCheck) if event.members[0].name == "x"]
    assert sorted(replay.in_blocks(check.members)) == ["second_loop_entry", "while"]
    assert (check.inner, check.outer) == ((), (v0,))


def test_figure_6_algorithm_5_finds_the_inner_scc() -> None:
    """φ0 is in `start`, φ1 in `outer`, φ2 in `middle`, φ3 in `right`, φ4 in `left`; the addition enters at φ2."""
    replay = Replay(6, "paper")
    checks = [event for event in replay.all(e.RedundancyCheck) if event.members[0].name == "x"]
    members = [replay.in_blocks(check.members) for check in checks]
    assert members == [["start"], ["outer", "middle", "left", "right"], ["left", "right"]]
    first, second, third = checks
    assert (first.inner, first.outer) == ((), ())  # "thus, we skip this SCC"
    assert replay.in_blocks(second.inner) == ["left", "right"]
    assert replay.in_blocks(second.outer) == ["start", "+"]
    assert (third.inner, replay.in_blocks(third.outer)) == ((), ["middle"])  # "we replace this SCC by φ2"
    replaced = replay.one(e.Redundant).replaced
    assert replay.in_blocks(replaced) == ["left", "right"]
    assert replay.in_blocks(set(replaced.values())) == ["middle"]


# ------------------------------------------------------------------------------------------------------ section 5


@every_strategy
def test_figure_7_the_definition_is_copied_and_the_use_gets_a_phi(strategy: str) -> None:
    """A is `then`, B is `next`, C is `then1`; A' is a copy of B for the edge from A, which jumps to C."""
    replay = Replay(7, strategy, thread_jumps=True)
    redirect = replay.one(e.Redirect)
    a, b, copy, c = redirect.source, redirect.original, redirect.copy, redirect.target
    assert isinstance(c, Continuation)
    assert (a.name, b.name, c.name) == ("then", "next", "then")
    start = replay.events.index(replay.one(e.Reconstruct))
    steps = replay.events[start:]
    by_block = {block.continuation: block for block in replay.one(e.Reconstruct).blocks}
    assert [block.continuation for block in by_block[c].predecessors] == [copy, b]  # Figure 7b

    v1 = next(event.statement for event in steps if isinstance(event, e.Compute))
    writes = [event for event in steps if isinstance(event, e.Write)]
    v0 = writes[0].value
    assert [(event.block.continuation, event.value) for event in writes] == [(b, v0), (copy, v1)]
    assert isinstance(v0, Primitive) and isinstance(v1, Primitive)
    assert (v0.name, v0.op) == (v1.name, v1.op) == ("x", "*")

    read = next(event for event in steps if isinstance(event, e.Read))
    assert read.block is by_block[c]
    look_up = replay.look_up(read)
    v2 = next(event.parameter for event in look_up if isinstance(event, e.Place))
    assert v2.block is by_block[c]
    assert [[*event.arguments] for event in look_up if isinstance(event, e.Complete)] == [[v1, v0]]
    update = replay.one(e.Replace)
    assert (update.block, update.value, update.replacement) == (by_block[c], v0, v2)

    assert c.transfer is not None and isinstance(c.transfer, Jump)
    assert c.transfer.edge.arguments == c.parameters == [resolve(v2)]  # Figure 7c
    assert v1 in a.body and isinstance(a.transfer, Jump) and a.transfer.edge.target is c


@every_strategy
def test_figure_8_the_parameter_of_next_gets_an_argument_from_each_arm(strategy: str) -> None:
    replay = Replay(8, strategy)
    placed, complete = replay.one(e.Place).parameter, replay.one(e.Complete)
    assert name(placed) == "next" and complete.parameter is placed
    senders = [block.continuation.name for block in placed.block.predecessors]
    assert [*zip(senders, complete.arguments, strict=True)] == [
        *zip(["then", "else"], replay.written("a"), strict=True)
    ]
    assert pretty(replay.program) == FIGURE_8
