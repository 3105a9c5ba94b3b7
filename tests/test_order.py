"""The order of blocks and operands: of φ functions and arguments, as the steps of the construction name them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cpsconv import Program, Source, convert
from cpsconv.core.analysis.graph import incoming
from cpsconv.core.construction import Block, Event
from cpsconv.core.construction import events as e
from cpsconv.core.ir import Continuation
from cpsconv.core.source import read_source
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.lab.explain import Narration, narrate
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.targets.ssa import ssa
from testing.c_programs import c_programs
from testing.effort import each_in_turn, is_full, sample
from testing.expectations import CORPUS, EXAMPLES
from testing.language_programs import PROGRAMS

PATHS = [*EXAMPLES, *CORPUS, *(program.path for program in PROGRAMS)]


def narrated(source: Source, strategy: str, **given: Any) -> tuple[Program, list[Narration]]:
    """A program, and the construction of each function; after threaded jumps, its last reconstruction."""
    events: list[Event] = []
    program = convert(source, strategy=strategy, observer=events.append, **given)
    return program, narrate(program, events, strategy)


def homes(narration: Narration, block: Block) -> list[Continuation]:
    """The continuations of the finished function that have the edges of a block, which may be in it no longer."""
    if block.continuation in {*narration.function.members()}:
        return [block.continuation]
    return [home for each in narration.end.predecessors[block] for home in homes(narration, each)]


def joins(narration: Narration) -> Iterator[tuple[str, list[Continuation], list[Continuation]]]:
    """The name of each join, the sources of its edges, and those of the predecessors in the steps of the construction.

    A function precedes its continuations, whatever is merged into it. The edge past a copy that only jumps is that of
    another transfer, and in the place of its source: both lists omit such sources. `tests/core/test_build.py` has
    random graphs.
    """
    function = narration.function
    for join, edges in incoming(function).items():
        predecessors = narration.end.predecessors[narration.end.blocks[join]]
        if len(predecessors) > 1:
            pairs = [(block.continuation, home) for block in predecessors for home in homes(narration, block)]
            moved = {home for copy, home in pairs if home is not function and home.transfer is not copy.transfer}
            named = sorted((home for _, home in pairs), key=lambda source: source is not function)
            sources = [source for source, _ in edges]
            assert Counter(sources) == Counter(named)
            kept = [[each for each in order if each not in moved] for order in (sources, named)]
            yield narration.labels.name(join), kept[0], kept[1]


def require_one_order(narrations: list[Narration]) -> None:
    for narration in narrations:
        for join, sources, named in joins(narration):
            assert sources == named, (narration.function.name, join)


@each_in_turn(
    path=sample(PATHS, 4),
    strategy=[*CONSTRUCTIONS],
    threaded=(False, True),
    minimal=(True, False),
    optimise=([], OPTIMISATIONS),
)
def test_edges_are_in_the_order_in_which_the_steps_name_the_predecessors(
    path: Path, strategy: str, threaded: bool, minimal: bool, optimise: list[str]
) -> None:
    """By default each fourth program; `tests/core/test_build.py` compares the order for random graphs."""
    given = {"minimal": minimal, "thread_jumps": threaded, "optimise": optimise}
    require_one_order(narrated(read_source(str(path)), strategy, **given)[1])


@given(text=c_programs(), strategy=st.sampled_from([*CONSTRUCTIONS]), threaded=st.booleans())
def test_edges_of_a_random_program_are_in_one_order(text: str, strategy: str, threaded: bool) -> None:
    require_one_order(narrated(Source("f.c", text), strategy, thread_jumps=threaded)[1])


def phi_functions(program: Program) -> dict[tuple[str, str], list[str]]:
    """The blocks of the operands of each φ function, by its function and its name."""
    found: dict[tuple[str, str], list[str]] = {}
    name = ""
    for line in ssa(program, width=100_000).splitlines():
        if function := re.fullmatch(r"\S.* (\S+)\(.*\) {", line):
            name = function[1]
        if phi := re.match(r"  \S.* (\S+): φ\(", line):
            found[name, phi[1]] = re.findall(r" \[([^]]+)\]", line)
    return found


SENTENCE = re.compile(r"`(.*?)` gets (?:the argument )?(`.* from `[^;]*)")


def named_blocks(narration: Narration) -> dict[str, list[str]]:
    """The predecessors of each parameter, in the order of the sentences about its arguments."""
    found: dict[str, list[str]] = {}
    for step in narration.steps:
        if isinstance(step.event, (e.Complete, e.Operand)) and (sentence := SENTENCE.match(step.text)):
            found.setdefault(sentence[1], []).extend(re.findall(r" from `([^`]*)`", sentence[2]))
    return found


def test_operands_of_phi_functions_are_in_the_order_of_the_sentences() -> None:
    """By default, each sixteenth program with each fourth construction."""
    compared = 0
    for path, strategy in sample([*product(sample([*EXAMPLES, *CORPUS], 16), CONSTRUCTIONS)], 4):
        program, narrations = narrated(read_source(str(path)), strategy)
        phis = phi_functions(program)
        for narration in narrations:
            for parameter, named in named_blocks(narration).items():
                blocks = phis.get((narration.function.name, parameter), [])
                if {*blocks} == {*named}:  # else one was merged into another, or more than a sentence lists
                    assert [*dict.fromkeys(blocks)] == [*dict.fromkeys(named)], (path.name, strategy, parameter)
                    compared += 1
    assert compared > (150 if is_full() else 30)
