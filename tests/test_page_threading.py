"""Jump threading on the page: the function after each redirected jump, and after each step of its reconstruction."""

from __future__ import annotations

from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv.core.construction import STRATEGIES
from cpsconv.core.construction import events as e
from cpsconv.core.ir import Program
from cpsconv.core.source import DiagnosticError, Source, read_source
from cpsconv.core.text import pretty
from cpsconv.lab.explain import Narration, narrate
from cpsconv.lab.explain.snapshot import Snapshot
from cpsconv.lab.page import jump_threading
from cpsconv.lab.page.cps_pane import CpsPane
from cpsconv.lab.page.jump_threading import ThreadingCollector
from cpsconv.lab.page.loops import loop_boxes
from cpsconv.lab.page.phi_pane import PhiPane
from cpsconv.lab.page.replay import Replay, card_names
from cpsconv.lab.page.source_variables import Variables
from cpsconv.lab.page.state import State
from cpsconv.lab.page.threaded_state import state_of
from cpsconv.pipeline import convert
from cpsconv.targets.ssa import ssa
from testing.c_programs import c_programs
from testing.effort import is_full, sample
from tests.tables import scenarios
from tests.test_page import EXAMPLES, ROOT, data, shown
from tests.test_page_browser import open_page
from tests.test_page_graph import PLACES

FIG7 = ROOT / "examples" / "fig7.c"

DRAWN = "return [...page.flow.edges].flatMap(([name, edges]) => edges.map(({ target }) => [name, target]))"


@cache
def threaded(path: Path) -> Any:
    return data(path, thread_jumps=True)


def narrated(source: Source, strategy: str) -> tuple[Program, list[Narration]]:
    collector = ThreadingCollector()
    program = convert(source, strategy=strategy, observer=collector, thread_jumps=True)
    return program, narrate(program, collector.events, strategy)


def replayed(source: Source, narration: Narration) -> list[dict[str, list[Any]]]:
    """The lines of the panes after each step."""
    replay = Replay(narration, Variables(narration, source), [*card_names(narration)])
    return [*shown([edits for _, edits in replay.steps()])]


def require_converted(program: Program, last: list[dict[str, list[Any]]]) -> None:
    """Require that the panes have the finished functions, in order."""
    for pane, printed in (("cps", pretty(program, width=60)), ("phi", ssa(program, width=60))):
        text = [line for found in last for line, *_ in found[pane]]
        expected = [line for line in printed.splitlines() if line]
        assert text == expected[-len(text) :]  # structs and data, which precede the functions, are on no page
        assert program.items or len(text) == len(expected)


@pytest.mark.parametrize("path", sample(EXAMPLES, 8), ids=lambda path: path.name)
def test_the_last_step_of_an_example_is_the_converted_program(path: Path) -> None:
    for strategy, conversion in threaded(path)["strategies"].items():
        program = convert(read_source(str(path)), strategy=strategy, thread_jumps=True)
        require_converted(program, [[*shown(view["steps"])][-1] for view in conversion["functions"].values()])
        listed = {line["name"] for algorithm in conversion["listing"] for line in algorithm["lines"]}
        steps = [step for view in conversion["functions"].values() for step in view["steps"]]
        assert listed >= {name for step in steps for name in step["lines"]}


def printed_lines(state: State) -> list[Any]:
    """The lines of CPS text and φ form in a state."""
    return [[*islice(edit, 2, None)] for pane in (CpsPane, PhiPane) for edit in pane(state).edits()]


def test_each_step_of_figure_7_changes_the_panes() -> None:
    view = threaded(FIG7)["strategies"]["scc"]["functions"]["f"]
    texts = [step["text"] for step in view["steps"]]
    cps = ["\n".join(line for line, *_ in lines["cps"]) for lines in shown(view["steps"])]
    flow = [[line[1:] for line in lines["flow"]] for lines in shown(view["steps"])]

    def after(start: str) -> int:
        (step,) = [number for number, text in enumerate(texts) if text.startswith(start)]
        return step

    redirected, placed = after("an edge from `then` to `next`"), after("place the parameter `x1`")
    passed, replaced, removed = after("`x1` gets"), after("a use of `x`"), after("`n2` always equals")
    assert "next2" not in cps[redirected - 1] and "next2 := (n2 : int)" in cps[redirected]
    assert ["edge", "", "next2"] in flow[redirected] and view["steps"][redirected]["joins"] == ["next2"]
    assert "then1 := ()" in cps[placed - 1] and "then1 := (x1 : int)" in cps[placed] and "then1(…)" in cps[placed]
    assert "then1(n2 * 3)" in cps[passed] and "ret(x)" in cps[passed]
    assert "ret(x1)" in cps[replaced] and "n2" in cps[replaced] and "n2" not in cps[removed]
    assert texts[-1] == "the finished function; `next2` is merged into the only predecessor"
    assert ["state", "filled sealed removed", "now part of then"] in flow[-1]
    assert view["cards"] == ["f", "then", "next2", "next", "next1", "then1"]


def test_a_copy_is_in_the_loops_around_its_source_and_its_target() -> None:
    source = Source("f.c", "int f(int x) { for (int i = 0; i < 3; i++) x = x * x; return x; }")
    _, (narration,) = narrated(source, "scc")
    cards = [*card_names(narration)]
    copies = [narration.labels.name(event.copy) for event in narration.events if isinstance(event, e.Redirect)]
    assert copies and not {cards.index(each) for each in copies} & {*loop_boxes(narration, cards)[0]["cards"]}


def test_a_function_with_too_many_threaded_jumps_has_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jump_threading, "MAX_SHOWN", 5)
    with pytest.raises(DiagnosticError, match="the function `f` is too large for a page with threaded jumps"):
        narrated(read_source(str(FIG7)), "scc")


def test_figure_7_is_drawn_before_and_after(driver: Any, tmp_path: Path) -> None:
    driver.get_log("browser")
    page = open_page(driver, tmp_path, FIG7, thread_jumps=True)
    (step,) = page.steps_that_begin_with("an edge from then to next")
    page.slide(step - 1)
    places = page(PLACES)
    assert ["then", "next"] in page(DRAWN) and page("return document.querySelector('[data-card=next2]').hidden")
    page.slide(step)
    edges = page(DRAWN)
    assert ["then", "next2"] in edges and ["next2", "then1"] in edges and ["then", "next"] not in edges
    assert page("return document.querySelector('[data-card=next2]').classList.contains('member')")
    assert "next2 := (n2 : int)" in page.text("#cps pre") and "n2" in page.text("#phi pre")
    page.slide(page.last)
    assert ["then", "then1"] in page(DRAWN) and "then1(-n * 3)" in page.text("#cps pre")
    assert page("return page.flow.layout.routes.has(edgeKey('then', '', 'then1'))"), "its way avoids the cards"
    assert page(PLACES) == places, "nothing moves"
    assert driver.get_log("browser") == []


THREADED = [text for text, _ in scenarios("threaded_c").values()]


def require_consistent(text: str, strategy: str) -> None:
    """Require that the replayed events of each reconstruction lead to the function that it has made."""
    source = Source("f.c", text)
    program, narrations = narrated(source, strategy)
    require_converted(program, [replayed(source, each)[-1] for each in narrations])
    for narration in narrations:
        state = state_of(narration, [*card_names(narration)])
        for event, after in zip(narration.events, [*narration.events[1:], None], strict=True):
            is_result = isinstance(event, Snapshot) and isinstance(after, (e.Unused, e.RedundancyCheck, e.Redundant))
            before = printed_lines(state) if is_result else None
            state.apply(event)
            assert not is_result or printed_lines(state) == before


@pytest.mark.parametrize("text", THREADED)
def test_the_events_of_a_reconstruction_lead_to_its_result(text: str) -> None:
    for strategy in STRATEGIES:
        require_consistent(text, strategy)


@settings(deadline=None, max_examples=30 if is_full() else 3)
@given(text=c_programs(statements=6), strategy=st.sampled_from([*STRATEGIES]))
def test_any_program_is_replayed(text: str, strategy: str) -> None:
    require_consistent(text, strategy)
