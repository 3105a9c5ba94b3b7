"""The steps of the page: each pane shows the state of the Builder at its step; the last one, the finished program."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product, zip_longest
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv.core.construction import STRATEGIES, events
from cpsconv.core.construction.events import combined
from cpsconv.core.construction.explicit_memory import FORMS
from cpsconv.core.ir import Program, Value
from cpsconv.core.source import Source, read_source
from cpsconv.core.text import pretty
from cpsconv.core.transform import minimise, prune
from cpsconv.lab.explain import Collected, Collector, Narration, narrate
from cpsconv.lab.page.cps_pane import CpsPane
from cpsconv.lab.page.flow_pane import FlowPane
from cpsconv.lab.page.phi_pane import PhiPane
from cpsconv.lab.page.replay import Replay, card_names
from cpsconv.lab.page.source_variables import Variables
from cpsconv.pipeline import convert
from cpsconv.targets.ssa import ssa
from testing.effort import each_in_turn, examples, sample
from testing.expectations import CORPUS
from testing.graphs import Graph, build, graphs
from tests.snapshots import Closed, Snapshots
from tests.test_page import EXAMPLES, shown

Lines = dict[str, list[Any]]


def text(lines: Sequence[Any]) -> str:
    return "".join(f"{line[0]}\n" for line in lines)


def check(narration: Narration, snapshots: Snapshots, source: Source) -> Lines:
    """Compare each step with the snapshot of its last event. Returns the lines of the last step."""
    variables = Variables(narration, source)
    cards = [*card_names(narration)]
    steps = [*Replay(narration, variables, cards).steps()]
    taken = snapshots.by_function[narration.function]
    places = {event: place for place, event in enumerate(map(id, narration.events))}
    starts = [places[id(step.event)] for step, _ in steps[:-1]]
    end = next(place for place, event in enumerate(narration.events) if isinstance(event, events.Close))
    for number, lines in enumerate(shown([edits for _, edits in steps])):
        if number + 1 >= len(starts) or starts[number + 1] > end:
            done = narration.events[end + 1 : starts[number + 1] if number + 1 < len(starts) else None]
            expected_cards = cleaned(snapshots.closed[narration.function], done, narration)
            found = masked(edges_of(lines["flow"], cards), expected_cards)
            assert found == expected_cards, (number + 1, steps[min(number, len(steps) - 1)])
            continue
        state: Any = taken[starts[number + 1] - 1].state(narration, cards)
        panes = {"flow": FlowPane(state, variables), "cps": CpsPane(state), "phi": PhiPane(state)}
        state.place_in_entry()
        for name, pane in panes.items():
            expected = [line for edit in pane.edits() for line in edit[2:]]
            assert in_order(lines[name]) == in_order(expected), (number + 1, steps[number][0].text, name)
    return [*shown([edits for _, edits in steps])][-1]


Cards = dict[str, tuple[list[str], list[tuple[str, list[tuple[str | None, str | None]]]]]]
"""The parameters of each continuation, and for each edge its target and its arguments with their parameters."""


def edges_of(lines: Sequence[Any], cards: Sequence[str]) -> Cards:
    """What the cards show of continuations that are not removed: of the arguments, those without operators."""
    found: Cards = {}
    for number, kind, *details in lines:
        if kind == "state" and "removed" not in details[0]:
            found[cards[number]] = ([], [])
        elif kind == "parameter":
            found[cards[number]][0].append(details[0])
        elif kind == "edge":
            found[cards[number]][1].append((details[1], []))
        elif kind == "argument":
            name, text = details
            _, arguments = found[cards[number]][1][-1]
            arguments.append((name, text if " " not in text and "(" not in text else None))
    return found


def masked(found: Cards, expected: Cards) -> Cards:
    """The cards, without the texts of arguments that are expressions in `expected`, and may have a name."""
    for name, (_, edges) in found.items():
        for (_, arguments), (_, others) in zip(edges, expected[name][1], strict=True):
            for at, (argument, other) in enumerate(zip(arguments, others, strict=True)):
                if other[1] is None:
                    arguments[at] = argument[0], None
    return found


def cleaned(closed: Closed, done: Sequence[Collected], narration: Narration) -> Cards:
    """What the cards show after the events `done` of a function that was `closed`."""
    labels = narration.labels
    replaced: dict[Value, Value] = {}
    removed: set[Value] = set()
    for event in done:
        if isinstance(event, events.Unused):
            removed |= {*event.parameters}
        elif isinstance(event, events.Redundant):
            removed |= {*event.replaced}
            replaced.update(event.replaced.items())

    def shown_text(value: Value) -> str | None:
        while value in replaced:
            value = replaced[value]
        text = labels.bare_value(value)
        return text if " " not in text and "(" not in text else None

    found: Cards = {}
    for member, (parameters, edges) in closed.items():
        found[labels.name(member)] = [labels.name(each) for each in parameters if each not in removed], []
        for target, arguments in edges:
            receiving = closed[target][0] if target in closed else []
            names = [labels.name(each) if each not in removed else "removed" for each in receiving[: len(arguments)]]
            pairs = [(name, shown_text(each)) for name, each in zip_longest(names, arguments)]
            found[labels.name(member)][1].append(
                (labels.bare_value(target), [pair for pair in pairs if pair[0] != "removed"])
            )
    return found


def in_order(lines: Sequence[Any]) -> list[Any]:
    """The lines, with consecutive definitions of a card sorted: their order is that of the events."""
    definitions = sorted(line for line in lines if line[1:2] == ("value",))
    return [definitions.pop(0) if line[1:2] == ("value",) else line for line in lines]


def checked(source: Source, **given: Any) -> None:
    collector, snapshots = Collector(), Snapshots()
    program = convert(source, observer=combined(collector, snapshots), **given)
    check_program(program, collector, snapshots, given.get("strategy", "scc"), source)


def check_program(program: Program, collector: Collector, snapshots: Snapshots, strategy: str, source: Source) -> None:
    """Check all steps of all functions; the last steps show the texts of the program."""
    last = [check(each, snapshots, source) for each in narrate(program, collector.events, strategy)]
    assert [text(each["cps"]) for each in last] == texts(pretty(program, width=60), len(last))
    assert [text(each["phi"]) for each in last] == texts(ssa(program, width=60), len(last))


def texts(printed: str, count: int) -> list[str]:
    """The texts of the functions, without structs and data before them."""
    functions = [each.strip().rpartition("\n\n")[2] for each in printed.split("\n}\n")]
    return [f"{each}\n}}\n" for each in functions if each][-count:]


@each_in_turn(path=sample(EXAMPLES, 6), strategy=[*STRATEGIES])
def test_each_step_of_an_example_shows_the_state_of_the_builder(path: Path, strategy: str) -> None:
    checked(read_source(str(path)), strategy=strategy)


@each_in_turn(
    case=[("flexible_array_members", None), *product(["state_machine_with_a_table"], FORMS)], strategy=[*STRATEGIES]
)
def test_each_step_of_a_program_with_memory_shows_the_state_of_the_builder(
    case: tuple[str, str | None], strategy: str
) -> None:
    name, form = case
    [path] = [path for path in CORPUS if path.stem == name]
    checked(read_source(str(path)), strategy=strategy, explicit_memory=form)


@settings(deadline=None, max_examples=examples(80))
@given(strategy=st.sampled_from([*STRATEGIES]), graph=graphs(most_nodes=9), minimal=st.booleans())
def test_each_step_of_any_graph_shows_the_state_of_the_builder(strategy: str, graph: Graph, minimal: bool) -> None:
    collector, snapshots = Collector(), Snapshots()
    observer = combined(collector, snapshots)
    program = Program([build(graph, strategy, observer)])
    if minimal:
        prune(program, observer=observer)
        minimise(program, observer)
    check_program(program, collector, snapshots, strategy, Source("f", ""))
