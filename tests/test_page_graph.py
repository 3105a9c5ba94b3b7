"""The control flow on the page as a graph: layers, loops, labels, reduced cards, zoom and map; two pages for all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.analysis.dominance_frontiers import frontiers
from cpsconv.core.source import read_source
from cpsconv.lab.page.loops import loop_boxes
from cpsconv.lab.page.replay import card_names
from testing.browser import look
from tests.test_explain import narrated
from tests.test_page import ROOT
from tests.test_page_browser import Shown, open_page

LECTURE, PROJECTOR = (1600, 900), (1024, 768)

BOX = "(each) => (({ left, top, right, bottom }) => [left, top, right, bottom])(each.getBoundingClientRect())"

CARDS = f"""
const box = {BOX};
const cards = [...document.querySelectorAll(".card:not([hidden])")];
return Object.fromEntries(cards.map((card) => [card.dataset.card, box(card)]));
"""

PLACES = "return Object.fromEntries([...page.flow.cards].map(([name, card]) => [name, card.style.cssText]))"

FONT = "return parseFloat(getComputedStyle(document.querySelector('.card h3')).fontSize) * page.flow.viewport.zoom"

SEEN = """
const boxOf = (each) => document.querySelector(each).getBoundingClientRect();
const [card, pane] = [".card.here", "#flow .scroll"].map(boxOf);
return card.left >= pane.left && card.right <= pane.right && card.top >= pane.top && card.bottom <= pane.bottom;
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


def show(driver: Any, folder: Path, path: Path, fragment: str = "") -> Shown:
    shown = open_page(driver, folder, path, LECTURE)
    shown(f"location.hash = '{fragment}'")
    return shown


def overlap(one: list[float], other: list[float]) -> bool:
    return one[0] < other[2] - 1 and other[0] < one[2] - 1 and one[1] < other[3] - 1 and other[1] < one[3] - 1


def test_figure_6_is_a_graph_in_layers(driver: Any, folder: Path) -> None:
    shown = show(driver, folder, ROOT / "examples" / "fig6.c")
    places = shown(PLACES)
    shown.slide(shown.last - 1)
    assert shown(PLACES) == places, "nothing moves from step to step"
    for names_only in (True, False):
        assert shown("return document.querySelector('#flow .names').ariaPressed") == str(names_only).lower()
        shown.click("#flow .fit")
        cards = shown(CARDS)
        assert len(cards) == 17 and min(cards, key=lambda name: cards[name][1]) == "f", "the entry is on top"
        assert not [pair for pair in pairs(cards) if overlap(*pair)]
        widths = shown(
            "const { scrollWidth, clientWidth } = page.flow.viewport.scroll; return [scrollWidth, clientWidth]"
        )
        assert widths[0] <= widths[1], "the whole graph fits"
        assert shown(SEEN) and shown("return document.querySelector('.map').classList.contains('unused')")
        shown.click("#flow .names")
    # loops are boxes around their cards
    for loop, box in enumerate(
        shown(
            "return [...document.querySelectorAll('.loop rect')].map((each) => "
            "each.getBoundingClientRect()).map((r) => [r.left, r.top, r.right, r.bottom])"
        )
    ):
        inside = {name for name, card in shown(CARDS).items() if overlap(card, box)}
        members = shown(
            "const { view } = page; const of = (at) => view.loops.flatMap((each, number) => number === at ?"
            "each.cards : each.around === at ? of(number) : []); return of(arguments[0]).map((n) => view.cards[n])",
            loop,
        )
        assert inside == {*members}
    titles = shown.texts(".loop text")
    assert sorted(titles) == ["irreducible loop", "loop"]
    # edges have labels, and each is a line of its card for screen readers
    labels = shown("return [...document.querySelectorAll('.label')].map((each) => each.innerText)")
    assert {"true", "false"} <= {*labels}
    assert len(shown.texts(".route")) == len(labels) == len(shown.texts(".edge:not(.exit)"))
    # one card alone
    shown.click(".card[data-card=outer] .toggle")
    assert shown("return document.querySelector('.card[data-card=outer]').className").count("reduced") == 0
    assert shown("return document.activeElement.ariaExpanded") == "true" and len(shown.texts(".reduced")) == 16
    # the keys of zoom, which are keys of no step
    at, zoom = shown.step, shown.text("#flow .zoom")
    shown("document.querySelector('#flow .scroll').focus()")
    shown.press("+", "+", "+")
    assert shown.step == at and float(shown.text("#flow .zoom")[:-2]) > 1.5 * float(zoom[:-2])
    shown.press("0")
    assert shown.text("#flow .zoom") == zoom or shown(SEEN)
    # the map leads to a part, and the view stays there if it does not follow
    for _ in range(3):
        shown.click("#flow .larger")
    shown.click("#flow .follow")
    shown("page.flow.viewport.scroll.scrollTo(0, 0)")
    shown.press("HOME", "END")
    assert shown("return page.flow.viewport.scroll.scrollTop") == 0
    shown.click("#flow .follow")
    assert shown(SEEN)
    # the finished function has no merged continuations, and edges lead through their places
    assert shown.text("#text") == "the finished function"
    assert len(shown.texts(".route")) == shown(
        "return [...page.flow.edges.values()].flat().filter(({ target }) => page.flow.cards.has(target)).length"
    )
    assert driver.get_log("browser") == []


def test_sets_of_algorithm_5_and_paths_of_the_evidence_are_drawn(driver: Any, folder: Path) -> None:
    shown = show(driver, folder, ROOT / "examples" / "fig6.c", "#fn=f&strategy=paper")
    shown.click("[value=paper]")
    for text, homes, routes in (
        ("process the SCC of x2, x3, x5 and x4", ["left", "middle", "outer", "right"], 6),
        ("process the SCC of x5 and x4", ["left", "right"], 2),
        ("x5 and x4 always equal", ["left", "right"], 0),  # they are removed
    ):
        (step,) = shown.steps_that_begin_with(text)
        shown.slide(step)
        assert (
            sorted(shown("return [...document.querySelectorAll('.card.member')].map((each) => each.dataset.card)"))
            == homes
        )
        assert len(shown.texts(".route.member")) == routes
    assert shown.texts(".parameter.member") == []
    shown.press("END")
    assert shown.texts(".member") == []
    paths = shown("return page.view.paths.x3")
    assert sorted(paths) == [["next", "start", "outer", "then1", "middle"], ["next1", "middle"]]
    shown.click("#flow .parameter[data-name=x3]")
    for mark, path in zip(("first", "second"), paths, strict=True):
        marked = shown(f"return [...document.querySelectorAll('.card.{mark}')].map((each) => each.dataset.card)")
        assert sorted(marked) == sorted(path) and len(shown.texts(f".route.{mark}")) == len(path) - 1
    shown.press("ESCAPE")
    assert shown.texts(".first, .second") == [] and driver.get_log("browser") == []


FRONTIERS = """
const text = (card) => card.querySelector(".frontier")?.textContent.replace("dominance frontier: ", "") ?? "";
const cards = [...document.querySelectorAll("#flow .card:not([hidden])")];
return Object.fromEntries(cards.map((card) => [card.dataset.card, text(card)]).filter(([, border]) => border));
"""


def test_dominance_frontiers_are_drawn_where_cytron_uses_them_or_on_request(driver: Any, folder: Path) -> None:
    path = ROOT / "examples" / "fig6.c"
    (narration,) = narrated(read_source(str(path)), "cytron")
    end, name = narration.end, narration.labels.name
    tree = Dominance(end.entry, end.successors.__getitem__, [*end.blocks.values()])
    borders = {
        name(block.continuation): {name(each.continuation) for each in border}
        for block, border in frontiers(tree, end.successors.__getitem__).items()
        if border
    }
    shown = show(driver, folder, path, "#fn=f&strategy=cytron")
    (step,) = shown.steps_that_begin_with("x is assigned in")
    shown.slide(step)
    assert {card: {*border.split(", ")} for card, border in shown(FRONTIERS).items()} == borders
    assert len(shown.texts("#flow g.frontier")) == sum(map(len, borders.values()))
    joins = {*shown("return page.view.steps[page.step].joins")}
    sources = joins | {*shown("return page.view.steps[page.step].writes")}
    assert joins == {"start", "outer", "middle"} and sources == {*joins, "f", "next", "next1"}
    used = sum(len(joins & borders.get(source, set())) for source in sources)
    assert len(shown.texts("#flow g.frontier.used")) == used > len(joins)
    shown.press("ARROW_RIGHT")
    assert shown.text("#text").startswith("place") and len(shown.texts("#flow g.frontier.used")) == used
    pressed = "return document.querySelector('#flow .frontiers').ariaPressed"
    assert shown(pressed) == "true"
    (step,) = shown.steps_that_begin_with("walk over the dominator tree")
    shown.slide(step)
    assert shown(pressed) == "false" and shown(FRONTIERS) == {}
    # on request, at every step, and with every strategy, those of the graph that there is
    shown.click("#flow .frontiers")
    assert len(shown(FRONTIERS)) == len(borders)
    shown.click("[value=scc]")
    shown.press("HOME")
    assert shown(pressed) == "true" and shown(FRONTIERS) == {}
    shown.press("END")
    assert shown(FRONTIERS) and shown.texts("#flow g.frontier.used") == []
    shown.click("#flow .frontiers")
    assert shown(FRONTIERS) == {} and shown.texts("#flow g.frontier") == []
    shown.click("#flow .frontiers")
    assert driver.get_log("browser") == []


def compare_with(shown: Shown, name: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(shown.driver.find_element("id", "other")).select_by_visible_text(name)


def test_another_strategy_steps_beside_the_chosen_one(driver: Any, folder: Path) -> None:
    shown = show(driver, folder, ROOT / "examples" / "gcd.c", "#fn=gcd&strategy=scc&step=10")
    assert shown("return [byId('cps').checkVisibility(), byId('beside').checkVisibility()]") == [True, False]
    compare_with(shown, "cytron")
    assert shown("return [byId('cps').checkVisibility(), byId('beside').checkVisibility()]") == [False, True]
    both = "return ['#text', '#beside .sentence'].map((each) => document.querySelector(each).textContent)"
    shown.slide(8)
    assert shown(both) == [
        "read b in while: it has no value there yet",
        "9 / 57 read b in while: it has no value there yet",
    ]
    shown.press("ARROW_RIGHT", "ARROW_RIGHT")
    assert shown(both)[1].endswith("so b in while is the parameter b1 of while")
    shown.slide(22)
    assert len(shown.texts("#beside .card:not([hidden])")) == len(shown.texts("#flow .card:not([hidden])")) == 4
    assert "a2 proxy" in shown.texts("#beside .parameter") and "a2 proxy" not in shown.texts("#flow .parameter")
    shown.click("#flow .parameter[data-name=b1]")
    assert shown.texts("#flow .highlighted") and not shown.texts("#beside .highlighted"), "names of another program"
    shown.press("ESCAPE")
    shown.press("END")
    assert shown(both)[1] == "57 / 57 the finished function"
    # the classical construction, with ours beside it
    shown.click("[value=cytron]")
    assert shown("return byId('other').value") == "", "no strategy is beside itself"
    compare_with(shown, "scc")
    (step,) = shown.steps_that_begin_with(
        "b is assigned in gcd and body, and is live at while in the iterated dominance"
    )
    shown.slide(step)
    assert shown("return [...document.querySelectorAll('#flow .member')].map((each) => each.dataset.card)") == ["while"]
    shown.press("ARROW_RIGHT")
    assert shown.text("#text") == "place the parameter b1 of while, for b"
    (*_, step) = shown.steps_that_begin_with("rename")
    shown.slide(step)
    assert "a3" not in " ".join(shown.texts("#flow .parameter"))
    shown.click("[value=evaluation]")
    assert not shown("return byId('beside').checkVisibility()") and shown("return byId('cps').checkVisibility()")
    shown.click("[value=construction]")
    compare_with(shown, "nothing")
    assert not shown("return byId('beside').checkVisibility()") and driver.get_log("browser") == []


def pairs(cards: dict[str, list[float]]) -> list[tuple[list[float], list[float]]]:
    boxes = [*cards.values()]
    return [(one, other) for number, one in enumerate(boxes) for other in boxes[:number]]


@pytest.mark.parametrize("size", [LECTURE, PROJECTOR], ids=["lecture", "projector"])
def test_48_continuations_are_legible(driver: Any, folder: Path, size: tuple[int, int]) -> None:
    shown = show(driver, folder, ROOT / "tests" / "corpus" / "short_circuit.c", "#fn=main&step=300")
    look(driver, *size)
    for step in range(0, shown.last, 37):
        shown.slide(step)
        assert shown(SEEN) and shown(FONT) >= 9, "the view follows the current continuation"
    shown.press("END")
    cards = shown(CARDS)
    pane = shown(f"return ({BOX})(page.flow.viewport.scroll)")
    assert len(cards) == 48 and len([card for card in cards.values() if overlap(card, pane)]) >= 8
    assert not shown("return document.querySelector('.map').classList.contains('unused')")
    assert len(shown("return [...document.querySelectorAll('.map rect')]")) == len(cards) + 1
    assert driver.get_log("browser") == []


def test_loops_are_nested_as_in_the_source(tmp_path: Path) -> None:
    path = tmp_path / "loops.c"
    path.write_text(
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) while (s < i) s += n; do s--; while (s); return s; }"
    )
    (narration,) = narrated(read_source(str(path)), "scc")
    cards = [*card_names(narration)]
    boxes = loop_boxes(narration, cards)
    named = [([cards[each] for each in box["entries"]], box["around"]) for box in boxes]
    outer = next(at for at, (entries, _) in enumerate(named) if entries == ["for"])
    assert sorted(named, key=str) == [(["do"], None), (["for"], None), (["while"], outer)]
    assert {cards[each] for each in boxes[outer]["cards"]} == {"for", "body", "exit", "step"}
