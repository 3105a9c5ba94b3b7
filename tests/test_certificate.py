"""Certificates: every conversion gets one, and no fault that changes what a program does escapes."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

import pytest
from graphs import Graph, graphs, random_graph, record, walk_function, walk_graph
from hypothesis import given

from cpsconv import Source, convert
from cpsconv.build import RIVALS, STRATEGIES
from cpsconv.build.recorder import Recorder
from cpsconv.check import certify, check
from cpsconv.evaluate import StepLimit
from cpsconv.frontends.c import convert as convert_c
from cpsconv.ir import Function, Program
from cpsconv.record import Record
from cpsconv.transform import minimise, prune
from tests.c_programs import generate
from tests.choices import Rolled
from tests.expectations import CORPUS, EXAMPLES, expected_runs
from tests.planting import FAULTS, planted
from tests.running import observe

every_strategy = pytest.mark.parametrize("strategy", [*STRATEGIES, *RIVALS])
either = pytest.mark.parametrize("minimal", [True, False], ids=["minimal", "as constructed"])
every_program = pytest.mark.parametrize("path", EXAMPLES + CORPUS, ids=lambda path: path.stem)
every_fault = pytest.mark.parametrize("kind", FAULTS)


def recorded(graph: Graph, strategy: str, *, minimal: bool = True) -> tuple[Program, Record]:
    """The program of a graph, and its record."""
    function, told = record(graph, strategy)
    program = Program([function])
    if minimal:
        prune(program)
        minimise(program)
    return program, told


def recorded_c(text: str, strategy: str = "scc", *, minimal: bool = True) -> tuple[Program, Record]:
    """The program that C text is converted to, and its record."""
    recorder = Recorder(strategy)
    program = convert_c(Source("program.c", text), recorder, [])
    if minimal:
        prune(program)
        minimise(program)
    return program, recorder.record


# ------------------------------------------------------------------------------------------------ no false alarms


@either
@every_strategy
@given(graph=graphs(most_nodes=20, most_variables=4))
def test_every_construction_is_certified(strategy: str, minimal: bool, graph: Graph) -> None:
    program, told = recorded(graph, strategy, minimal=minimal)
    assert certify(program, told, minimal=minimal) == []


@every_program
def test_every_conversion_is_certified(path: Path) -> None:
    for strategy in (*STRATEGIES, *RIVALS):
        for minimal in (True, False):
            program, told = recorded_c(path.read_text(), strategy, minimal=minimal)
            assert certify(program, told, minimal=minimal) == []


@pytest.mark.parametrize("seed", range(15))
def test_every_generated_program_is_certified(seed: int) -> None:
    text = generate(Rolled(random.Random(seed)))
    for strategy in STRATEGIES:
        convert(Source("generated.c", text), strategy=strategy, certify=True)
        convert(Source("generated.c", text), strategy=strategy, minimal=False, certify=True)


# ----------------------------------------------------------------------------------------------- no fault escapes


@dataclass
class Tally:
    """What became of faults: how many there were, how many change what is shown, how many are caught; who escaped."""

    planted: int = 0
    changing: int = 0
    caught: int = 0
    escaped: list[str] = field(default_factory=list)

    def add(self, name: str, *, changes: bool, certified: bool) -> None:
        """Count a fault that was planted."""
        self.planted += 1
        self.changing += changes
        self.caught += not certified
        if changes and certified:
            self.escaped.append(name)


@cache
def tally(kind: str) -> Tally:
    """Of all faults of a kind, in graphs and in C programs."""
    found = Tally()
    for name, function, told, is_as_before in (*right_graphs(), *right_c_programs()):
        program, record = told
        for seed in range(2):
            with planted(function, kind, seed) as is_planted:
                if is_planted:
                    certified = not certify(program, record, minimal=False)
                    found.add(f"{kind}, seed {seed}, in {name}", changes=not is_as_before(), certified=certified)
    return found


Right = tuple[str, Function, tuple[Program, Record], Callable[[], bool]]
"""The name of a program, a function to plant a fault in, program and record, and whether it still means the same."""


@cache
def right_graphs() -> list[Right]:
    """Generated graphs. They mean the same as long as many paths show what they showed."""
    found: list[Right] = []
    for seed in range(60):
        dice = random.Random(seed)
        graph = random_graph(dice)
        told = recorded(graph, dice.choice([*STRATEGIES, *RIVALS]), minimal=dice.random() < 0.5)
        paths = [dice.choices([0, 1], k=30) for _ in range(40)]
        function = told[0].functions[0]
        found.append((f"graph {seed}", function, told, partial(is_walked_as_before, graph, function, paths)))
    return found


def is_walked_as_before(graph: Graph, function: Function, paths: list[list[int]]) -> bool:
    """Whether all paths show what they show in the graph. What cannot be walked is not as before."""
    try:
        for choices in paths:
            expected = walk_graph(graph, choices)
            if walk_function(function, choices, len(expected), most_steps=200) != expected:
                return False
    except (AssertionError, AttributeError, KeyError, ValueError):
        return False
    return True


QUICK = """bisection bits calendar duff fig6 gcd number_scanner power roman break_and_continue calls_in_expressions
conditional_operator copies_of_copies goto_between_loops goto_into_a_loop irreducible_nested lost_copy_in_a_loop
mutual_recursion recursion sorting_network state_machine_in_a_switch switch_fall_through swap_in_a_loop"""


@cache
def right_c_programs() -> list[Right]:
    """C programs that are done in an instant. They mean the same as long as they do what their comments say."""
    found: list[Right] = []
    for path in EXAMPLES + CORPUS:
        if path.stem in QUICK.split():
            text = path.read_text()
            told = recorded_c(text)
            for function in told[0].functions:
                name = f"{function.name} of {path.name}"
                found.append((name, function, told, partial(does_as_it_says, told[0], text)))
    return found


def does_as_it_says(program: Program, text: str) -> bool:
    """Whether the program is sound and does what the comments in its text expect, without going on for long."""
    try:
        return not check(program) and all(
            observe(program, run.arguments, max_steps=3000) == run.expected for run in expected_runs(text)
        )
    except StepLimit:
        return False


@every_fault
def test_no_fault_escapes_that_changes_what_a_program_does(kind: str) -> None:
    assert tally(kind).escaped == []
    assert tally(kind).changing > 0


def test_there_are_more_than_five_hundred_such_faults() -> None:
    tallies = [tally(kind) for kind in FAULTS]
    assert sum(each.changing for each in tallies) > 500
    assert sum(each.caught for each in tallies) > sum(each.changing for each in tallies)


def test_programs_are_right_again_without_the_faults() -> None:
    for kind in FAULTS:
        tally(kind)
    for _, _, (program, told), is_as_before in (*right_graphs(), *right_c_programs()):
        assert certify(program, told, minimal=False) == []
        assert is_as_before()
