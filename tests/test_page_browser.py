"""The page of a conversion in a real browser: what it shows, and how it reacts to pointer and keyboard."""

from __future__ import annotations

import io
import json
import math
import struct
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from cpsconv.abi.library import with_library
from cpsconv.cli.explain import answer
from cpsconv.core.arguments import parse_arguments
from cpsconv.core.entry import entry_of
from cpsconv.core.ir import BOOL, SCALARS, Constant, Primitive, Program, Scalar
from cpsconv.core.operations.printing import chunks, formatted
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.operations.semantics import normalised, operation
from cpsconv.core.operations.table import CONVERT, result_type
from cpsconv.core.operations.types import is_data
from cpsconv.core.source import Source, read_source
from cpsconv.engines.machine.machine import evaluate
from cpsconv.engines.machine.trace import TraceRecord, names_of
from cpsconv.engines.machine.trace_text import _transfer as transfer_text
from cpsconv.lab.explain.algorithm_lines import algorithm_listing
from cpsconv.lab.page.data import format_data, program_data
from cpsconv.pipeline import convert
from testing.browser import look
from testing.effort import is_full
from testing.exact_operations import EXACT
from testing.expectations import expected_runs
from testing.functional_targets import LACKING
from tests.test_page import EXAMPLES, HOSTILE, ROOT, page_of

LAPTOP, PHONE, NARROW = (1280, 800), (360, 740), (320, 640)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


class Shown:
    """A page in the browser, which loads it, unless it shows it and `again` is false."""

    def __init__(self, driver: Any, path: Path, *, again: bool = True) -> None:
        self.driver = driver
        if again or driver.current_url.partition("#")[0] != path.as_uri():
            driver.get(path.as_uri())

    def __call__(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def click(self, selector: str) -> None:
        self("document.querySelector(arguments[0]).click()", selector)

    def text(self, selector: str) -> str:
        return str(self("return document.querySelector(arguments[0]).textContent", selector))

    def texts(self, selector: str) -> list[str]:
        script = "return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)"
        found: list[str] = self(script, selector)
        return found

    def choose(self, list: str, value: str) -> None:
        """Choose from a list, as a user does who clicks on it."""
        from selenium.webdriver.support.ui import Select

        Select(self.driver.find_element("id", list)).select_by_value(value)

    def steps_that_begin_with(self, text: str | tuple[str, ...]) -> list[int]:
        texts: list[str] = self("return page.view.steps.map((each) => each.text.replaceAll('`', ''))")
        return [step for step, each in enumerate(texts) if each.startswith(text)]

    def slide(self, step: int) -> None:
        self("const s = byId('slider'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))", step)

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        ActionChains(self.driver).send_keys(*(getattr(Keys, key, key) for key in keys)).perform()

    @property
    def last(self) -> int:
        return int(self("return byId('slider').max"))

    @property
    def step(self) -> int:
        return int(self("return byId('slider').value"))


def open_page(
    driver: Any, folder: Path, source: Path, size: tuple[int, int] = LAPTOP, *, again: bool = True, **given: Any
) -> Shown:
    """The page of a source, in a window of this size. What is `given` is for `page_of`, and `again` for `Shown`."""
    written = folder / f"{source.stem}.html"
    written.write_text(page_of(source, **given), encoding="utf-8")
    look(driver, *size)
    return Shown(driver, written, again=again)


@pytest.fixture
def show(driver: Any, folder: Path) -> Iterator[Any]:
    """Opens pages. At the end, the browser must have logged no message and loaded no resource."""
    driver.get_log("browser")
    yield partial(open_page, driver, folder)
    assert driver.get_log("browser") == []
    assert driver.execute_script("return performance.getEntriesByType('resource').length") == 0


def example(name: str) -> Path:
    return ROOT / "examples" / name


@pytest.fixture
def gcd(show: Any) -> Shown:
    """The page of ``gcd.c`` at its first step, as after its load, which tests in succession share."""
    shown: Shown = show(example("gcd.c"), again=False)
    shown(AS_NEW)
    return shown


AS_NEW = """
page.visit({ function: "gcd", strategy: "scc", step: 0 });
page.why.close();
page.highlighter.pin(null);
page.evaluation.chooseEntry("main");
byId("find").value = "";
focusSteps();
"""


# ---------------------------------------------------------------------------------------------------------- steps

PICTURE = """
const edges = [...document.querySelectorAll(".route, .label, .loop")].map((edge) => edge.outerHTML).sort();
const shown = ["#source pre", "#listing .scroll", "#cps pre", "#phi pre", "#step-text", "#count"];
const panes = shown.map((each) => document.querySelector(each).innerHTML);
const cards = [...document.querySelectorAll(".card:not([hidden])")].map((card) => card.outerHTML);
return JSON.stringify([edges, panes, cards]);
"""


BOTH_WAYS = """
const { last } = page;
const step = (button) => (byId(button).click(), picture());
byId("first").click();
const forwards = [picture(), ...Array.from({ length: last }, () => step("next"))];
const backwards = [...Array.from({ length: last }, () => step("previous")).reverse(), forwards[last]];
const jumps = [Math.floor((last * 2) / 3), 3, last, Math.floor(last / 3), 0];
const jumped = jumps.map((at) => {
  byId("slider").value = at;
  byId("slider").dispatchEvent(new Event("input"));
  return [at, picture()];
});
const differs = ([at, found]) => found !== forwards[at];
return [last, new Set(forwards).size, [...backwards.entries(), ...jumped].filter(differs).map(([at]) => at)];
"""


@pytest.mark.parametrize("strategy", ["basic", "scc"] if is_full() else ["scc"])
def test_stepping_forwards_and_backwards_shows_the_same_as_jumping(show: Any, strategy: str) -> None:
    shown = show(example("fig6.c" if is_full() else "gcd.c"), strategy=strategy)
    last, different, wrong = shown(f"function picture() {{ {PICTURE} }} {BOTH_WAYS}")
    assert last == shown.last and different == last + 1
    assert wrong == []


def test_the_last_picture_is_the_finished_function(gcd: Shown) -> None:
    gcd.slide(gcd.last)
    cards = gcd("return [...document.querySelectorAll('.card:not([hidden])')].map((card) => card.innerText)")
    assert [" ".join(card.split()) for card in cards] == [
        "gcd a b ret → while(b1 = b, a1 = a)",
        "while b1 a1 branch(b1 != 0) true → body false → exit",
        "body → while(b1 = a1 % b1, a1 = b1)",
        "exit → ret(a1)",
    ]
    assert len(gcd.texts(".route")) == 4


def test_a_step_is_seen_in_every_pane(gcd: Shown) -> None:
    gcd.slide(9)
    assert gcd.text("#text") == (
        "while is not sealed: place a proxy, the parameter b1 of while, for b; record it as b in while"
    )
    assert gcd.text("#line") == (
        "Algorithm 2, line 2: value ← a new φ without operands; line 3: add it to incompletePhis[block], for variable; "
        "line 10: writeVariable(variable, block, value)"
    )
    assert gcd.text("#listing [aria-current=step]").startswith("value ← a new φ without operands")
    assert gcd.text(".card.here h3") == "while"
    assert gcd.text(".card.here .state") == "being filled, not sealed"
    assert gcd.text(".card.here .parameter") == "b1 proxy"
    assert gcd.text("#source .now").strip() == "while (b != 0) {"
    assert gcd.text("#phi .here") == "while:\n"
    gcd.slide(0)
    assert len(gcd.texts(".card:not([hidden])")) == 1


def test_keys_alone_can_step(gcd: Shown) -> None:
    gcd.press("HOME")
    assert gcd.step == 0
    gcd.press("ARROW_RIGHT", "ARROW_RIGHT", "ARROW_RIGHT", "ARROW_LEFT")
    assert gcd.step == 2
    gcd.press("END")
    assert gcd.step == gcd.last
    gcd("byId('slider').focus()")
    gcd.press("ARROW_LEFT")
    assert gcd.step == gcd.last - 1


def test_after_each_choice_the_arrow_keys_step(gcd: Shown) -> None:
    """The focus is on the slider then, wherever it was before."""
    for choice in ("[value=basic]", "[value=marker]", "[value=evaluation]", "[value=construction]", "[value=scc]"):
        gcd("document.querySelector(arguments[0]).focus()", choice)
        gcd.press("ENTER")
        assert gcd("return document.activeElement.id") == "slider"
    for list, value in (("function", "main"), ("function", "gcd"), ("find", "name b1"), ("find", "variable 0")):
        gcd.choose(list, value)
        assert gcd("return document.activeElement.id") == "slider"
        gcd.slide(4)
        gcd.press("ARROW_RIGHT", "ARROW_RIGHT", "ARROW_LEFT")
        assert (gcd.step, gcd(CHOICES)["function"]) == (5, value if list == "function" else "gcd")
    gcd.click("[value=evaluation]")
    gcd.choose("entry", "main")
    assert gcd("return document.activeElement.id") == "slider"
    gcd.choose("entry", "gcd")
    gcd("document.querySelector('#arguments input').focus()")
    gcd.press("2", "ENTER", "ARROW_RIGHT", "ARROW_RIGHT")
    assert (gcd("return document.activeElement.id"), gcd.step) == ("slider", 2)


CHOICES = """
const pressed = [...document.querySelectorAll(".settings [aria-pressed=true]")].map((each) => each.value);
const lists = Object.fromEntries(["function", "find", "entry"].map((id) => [id, byId(id).value]));
return { pressed, ...lists };
"""


def test_keys_step_from_every_control_and_choose_nothing(gcd: Shown) -> None:
    chosen = gcd(CHOICES)
    for selector in ("#function", "#find", "[value=paper]", "[value=scc]", "[value=evaluation]", "summary"):
        gcd("document.querySelector(arguments[0]).focus()", selector)
        gcd.press("ARROW_RIGHT", "ARROW_RIGHT", "ARROW_RIGHT", "ARROW_LEFT")
        assert gcd.step == 2, selector
        gcd.press("END")
        assert gcd.step == gcd.last, selector
        gcd.press("HOME")
        assert gcd.step == 0, selector
        assert gcd(CHOICES) == chosen, selector


def test_a_key_opens_a_list_and_only_enter_chooses(gcd: Shown) -> None:
    for key in ("ARROW_DOWN", "m", "SPACE", "ENTER", "PAGE_DOWN"):
        gcd.choose("function", "gcd")
        gcd("byId('function').focus()")
        gcd.press(key)
        assert gcd("return byId('function').value") == "gcd", key
        gcd.press("ARROW_DOWN")
        assert gcd("return byId('function').value") == "gcd" and gcd.text("#text").startswith("open gcd"), key
        gcd.press("ENTER")
        assert gcd.text("#text").startswith("open main"), key
        gcd.press("ARROW_RIGHT")
        assert gcd.step == 1, key


def test_escape_closes_a_list_without_a_choice(gcd: Shown) -> None:
    gcd("byId('find').focus()")
    gcd.press("ARROW_DOWN", "ESCAPE", "ARROW_RIGHT")
    assert (gcd("return byId('find').value"), gcd.step) == ("", 1)


def test_keys_step_after_a_click_in_a_pane(gcd: Shown) -> None:
    for clicked in (".card h3 .name", ".card .parameter", "#source .name", "#cps .name", "#phi .line", "#listing li"):
        gcd.slide(4)
        gcd.driver.find_element("css selector", clicked).click()
        gcd.press("ARROW_RIGHT", "ARROW_RIGHT", "ARROW_LEFT")
        assert gcd.step == 5, clicked
        gcd.press("ESCAPE", "END")
        assert gcd.step == gcd.last, clicked


def test_keys_step_in_the_why_panel_and_after_it(gcd: Shown) -> None:
    gcd.choose("find", "name b1")
    assert gcd.text("#ask") == "Why is b1 here?"
    gcd.press("TAB", "TAB", "TAB", "ENTER")
    assert gcd("return document.activeElement.id") == "why-title"
    gcd.press("ARROW_RIGHT")
    assert gcd.step == 1
    gcd.click("#history button")
    gcd.press("ARROW_RIGHT", "ESCAPE", "ARROW_RIGHT")
    assert gcd.step == gcd.steps_that_begin_with("while is not sealed: place")[0] + 2


def test_every_control_is_reached_by_tab_and_shows_its_focus(show: Any) -> None:
    gcd = show(example("gcd.c"))
    gcd.slide(gcd.last)
    seen = []
    for _ in range(90):
        gcd.press("TAB")
        width = gcd("return getComputedStyle(document.activeElement).outlineWidth")
        seen.append(gcd("const at = document.activeElement; return at.id || at.textContent"))
        assert seen[-1].startswith("\n") or float(width.removesuffix("px")) >= 3, seen
        if seen[-1] == "last":
            break
    assert {"function", "find", "construction", "first", "previous", "slider", "next", "last", "b1", "a1"} <= {*seen}
    assert [each for each in seen if each.endswith("minimal")] == gcd.texts("#strategies button")


# ------------------------------------------------------------------------------------------------------- pointing

HIGHLIGHTED = """
function of(pane, kind) {
  return [...document.querySelectorAll(`#${pane} .${kind}`)].map((each) => each.dataset.name ?? each.textContent);
}
const panes = ["source", "flow", "cps", "phi"];
return Object.fromEntries(panes.map((pane) => [pane, [of(pane, "highlighted"), of(pane, "related")]]));
"""


def test_a_parameter_is_highlighted_in_every_pane(gcd: Shown) -> None:
    gcd.slide(gcd.last)
    gcd.click("#cps [data-name=b1]")
    highlighted = gcd(HIGHLIGHTED)
    assert highlighted["source"] == [["b", "b", "a", "b"], ["a", "b", "a", "b", "a"]]
    for pane in ("flow", "cps", "phi"):
        same, related = highlighted[pane]
        assert {*same} == {"b1"} and {*related} == {"a", "a1", "b"}
    assert len(highlighted["cps"][0]) == gcd.text("#cps pre").count("b1")
    assert len(highlighted["phi"][0]) == gcd.text("#phi pre").count("b1")
    assert gcd.text("#pointed") == "b1: a parameter; a value of b, a"


def test_a_variable_highlights_its_values(gcd: Shown) -> None:
    gcd.slide(gcd.last)
    gcd.click("#source [data-mention='4']")
    highlighted = gcd(HIGHLIGHTED)
    assert highlighted["source"] == [["a", "a"], ["a", "a"]]
    assert highlighted["phi"] == [["a1"] * 3, ["a", "b1", "b1", "a", "b1", "b1"]]
    assert gcd.text("#pointed") == "a: a variable of line 10; here it is a1"
    gcd.press("ESCAPE")
    assert len(gcd.texts(".highlighted, .related")) == 0


def test_the_list_of_names_highlights_without_pointing(gcd: Shown) -> None:
    gcd.slide(gcd.last)
    gcd("byId('find').value = 'variable 0';byId('find').dispatchEvent(new Event('change', { bubbles: true }))")
    assert {*gcd(HIGHLIGHTED)["cps"][0]} == {"a", "a1", "b1"}
    assert gcd.text("#pointed") == "a: a variable of line 10; its values are a, b1, a1"


def test_hovering_highlights_until_the_pointer_leaves(gcd: Shown) -> None:
    gcd.slide(gcd.last)
    gcd(
        "const over = new PointerEvent('pointerover', { bubbles: true });"
        "document.querySelector('#phi [data-name=a1]').dispatchEvent(over)"
    )
    assert {*gcd(HIGHLIGHTED)["cps"][0]} == {"a1"}
    gcd("document.querySelector('main').dispatchEvent(new PointerEvent('pointerleave'))")
    assert gcd(HIGHLIGHTED)["cps"] == [[], []]


def test_names_that_are_words_of_the_form_are_distinguished(show: Any) -> None:
    shown = show(example("fig8.c"))
    shown.slide(shown.last)
    shown.click("#cps [data-name=else]")
    assert shown.text("#phi pre").count("else") == 4
    assert shown(HIGHLIGHTED)["phi"][0] == ["else"] * 3


# ------------------------------------------------------------------------------------------- strategies, parameters


TEXTS = """
return arguments[0].map((step) => {
  byId("slider").value = step;
  byId("slider").dispatchEvent(new Event("input"));
  return byId("text").textContent;
});
"""
"""The texts that the page shows at these steps."""


def test_each_strategy_shows_its_counts_and_its_steps(show: Any) -> None:
    shown = show(example("fig6.c"))
    counts = dict(zip([*STRATEGIES, "cytron"], shown.texts("[data-counts]"), strict=True))
    assert counts == {
        "paper": "10 placed, 8 kept, 6 minimal",
        "basic": "10 placed, 8 kept, 6 minimal",
        "marker": "8 placed, 8 kept, 6 minimal",
        "scc": "6 placed, 6 kept, 6 minimal",
        "cytron": "6 placed, 6 kept, 6 minimal",
    }
    assert shown("return document.querySelector('[value=basic]').title") == (
        "a parameter at every join, removed if trivial (section 2)\n"
        "10 parameters placed, 2 of them removed as trivial, 8 kept; "
        "6 are left without the unused and the redundant ones (Algorithm 5)"
    )
    for strategy, count in counts.items():
        shown.click(f"[value={strategy}]")
        texts: list[str] = shown("return page.view.steps.map((each) => each.text.replaceAll('`', ''))")
        placing = [step for step, text in enumerate(texts) if "place a proxy" in text or text.startswith("place the")]
        assert len(placing) == int(count.split()[0])
        assert shown(TEXTS, placing) == [texts[step] for step in placing]
        titles = shown.text("#listing .scroll")
        assert ("Tarjan" in titles, "mark block" in titles) == (strategy == "scc", strategy == "marker")


STRATEGIES = ["paper", "basic", "marker", "scc"]

LISTING = """
const items = [...document.querySelectorAll("#listing li")];
const text = (item) => item.textContent.replace(/ ours$/, "");
const size = ({ paddingLeft, fontSize }) => parseFloat(paddingLeft) / parseFloat(fontSize);
const depth = (item) => Math.floor(size(getComputedStyle(item)) / 1.3);
const titles = [...document.querySelectorAll("#listing h3")].map((each) => each.textContent);
const isOurs = (item) => Boolean(item.querySelector(".ours"));
return [titles, items.map((item) => [item.dataset.number, depth(item), text(item), isOurs(item)])];
"""


def test_the_algorithm_pane_shows_the_listing_with_its_structure(gcd: Shown) -> None:
    for strategy in STRATEGIES:
        gcd.click(f"[value={strategy}]")
        titles, items = gcd(LISTING)
        expected = [[line.number, line.indent, line.text, line.ours] for line in algorithm_listing(strategy)]
        assert items == expected and {indent for _, indent, _, _ in items} >= {0, 1}, strategy
        assert titles[:3] == [
            "section 2.3 create and fill blocks",
            "section 3.1 compute",
            "Algorithm 1 writeVariable(variable, block, value)",
        ]
        assert "ours marks a line that is not in the paper" in gcd.text("#legend")
        assert gcd.text("#legend").startswith(f"{strategy}: ")


def test_every_line_of_a_step_is_marked_and_the_main_line_is_in_view(gcd: Shown) -> None:
    assert gcd("return page.view.steps.slice(0, -1).map(({ lines }) => [true, lines.length])") == gcd(
        """const list = document.querySelector("#listing .scroll");
        return Array.from({ length: page.last }, (_, step) => {
          byId("slider").value = step;
          byId("slider").dispatchEvent(new Event("input"));
          const { top, bottom } = list.getBoundingClientRect();
          const place = list.querySelector("[aria-current=step]").getBoundingClientRect();
          const isSeen = place.top >= top - 1 && place.bottom <= bottom + 1;
          return [isSeen, 1 + list.querySelectorAll("[aria-current=true]").length];
        });"""
    )
    gcd.slide(gcd.last)
    assert gcd.texts("#listing [aria-current=step]") == [] and gcd.text("#line") == ""


def test_the_stack_of_a_look_up_is_distinguished_from_what_it_has_visited(show: Any) -> None:
    """In Figure 2, the look-up of `x` goes from `exit` to `while`, to its predecessor `next`, and from it to `body`."""
    shown = show(example("fig2.c"))
    shown.click("[value=paper]")
    cards = "[...document.querySelectorAll(`.card.${mark}`)].map((each) => each.dataset.card)"
    marks = f'return ["path", "visited"].map((mark) => {cards})'
    for text, stack, visited in (
        ("place the parameter x1 of next", ["while", "next", "exit"], ["f"]),
        ("go back from body to while: x is the parameter x", ["while", "body", "next", "exit"], ["f"]),
        ("x1 gets the argument x from body", ["while", "next", "exit"], ["f", "body"]),
        ("x1 has all of its arguments", ["while", "next", "exit"], ["f", "body", "then"]),
        ("x gets the argument x1 from next", ["while", "exit"], ["f", "body", "then", "next"]),
    ):
        shown.slide(shown.steps_that_begin_with(text)[0])
        assert shown(marks) == [stack, visited], text


def test_the_page_opens_at_the_first_step_and_each_function_does(show: Any) -> None:
    gcd = show(example("gcd.c"))
    assert gcd.step == 0 and gcd.text("#count") == f"1 / {gcd.last + 1}"
    assert gcd.text("#text").startswith("open gcd")
    gcd.slide(7)
    gcd.choose("function", "main")
    assert gcd.step == 0 and gcd.text("#text").startswith("open main")


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_another_strategy_is_shown_at_the_same_request(gcd: Shown, strategy: str) -> None:
    """At the first step of a read; at its last one; at a sealing, whose first and last steps depend on the strategy.

    Each other strategy is shown at one of these requests.
    """
    requests = [("read b in body", "so b in body"), ("enter exit", ""), ("read a in exit", "so a in exit")]
    others = [other for other in STRATEGIES if other != strategy]
    for other, (text, end) in zip(others, requests, strict=True):
        gcd.click(f"[value={strategy}]")
        gcd.slide(gcd.steps_that_begin_with(text)[0])
        gcd.click(f"[value={other}]")
        assert gcd.text("#text").startswith(text)
        if end:
            gcd.slide(gcd.steps_that_begin_with(end)[0])
            gcd.click(f"[value={strategy}]")
            assert gcd.text("#text").startswith(end)


def test_the_sealing_of_a_loop_is_found_in_the_algorithms_as_printed_and_back(gcd: Shown) -> None:
    """As printed, a block is sealed after its proxies got their operands; otherwise before."""
    sealing, *inner = gcd.steps_that_begin_with(("seal while", "look in", "b1 receives", "a1 receives"))
    gcd.click("[value=paper]")
    *printed, sealed = gcd.steps_that_begin_with(("b1 receives", "a1 receives", "seal while"))
    for step, expected in ((sealing, sealed), (inner[-1], printed[-1])):
        gcd.click("[value=scc]")
        gcd.slide(step)
        gcd.click("[value=paper]")
        assert gcd.step == expected
        gcd.click("[value=scc]")
        assert gcd.step == step
    gcd.slide(inner[0])
    gcd.click("[value=paper]")
    assert gcd("return page.view.steps[page.step].request") == gcd(
        "return page.view.steps[arguments[0]].request", sealed
    )


def test_the_last_step_remains_the_last_one_with_another_strategy(show: Any) -> None:
    shown = show(example("fig5.c"))
    shown.press("END")
    for strategy in [*STRATEGIES, "scc"]:
        shown.click(f"[value={strategy}]")
        assert shown.step == shown.last and shown.text("#text").startswith("the finished function")
    assert len({shown(f"return page.data.strategies.{each}.functions.f.steps.length") for each in STRATEGIES}) > 1


def test_a_highlighted_variable_remains_highlighted_with_another_strategy(gcd: Shown) -> None:
    gcd.slide(gcd.last)
    gcd.choose("find", "variable 1")
    gcd.click("[value=paper]")
    assert (gcd.text("#pointed")[:29], gcd("return byId('find').value")) == (
        "b: a variable of line 10; its",
        "variable 1",
    )
    gcd.click("#source [data-mention='4']")
    gcd.click("[value=scc]")
    assert gcd.text("#pointed") == "a: a variable of line 10; here it is a1"
    gcd.click("#cps [data-name=while]")
    assert gcd("return byId('find').value") == "name while", "the list shows what was clicked"
    gcd.click("[value=basic]")
    assert gcd.text("#pointed") == "while: a continuation"
    gcd.choose("find", "name a1")
    gcd.click("[value=marker]")
    assert gcd.text("#pointed") == gcd("return byId('find').value") == "", "the name could denote another parameter"


def test_each_mode_is_shown_where_it_was_left(gcd: Shown) -> None:
    gcd.slide(9)
    evaluated(gcd, "gcd", "48", "36")
    gcd.slide(3)
    gcd.click("[value=construction]")
    assert (gcd.step, gcd.text("#text")[:19]) == (9, "while is not sealed")
    gcd.click("[value=evaluation]")
    assert (gcd.step, gcd.text("#text")) == (3, "while(b1 = 12, a1 = 36)")
    gcd.click("[value=basic]")
    assert (gcd.step, gcd.text("#text")) == (3, "while(b1 = 12, a1 = 36)"), "another strategy keeps the transfer"
    gcd.click("[value=construction]")
    assert gcd.text("#text").startswith("while is not sealed"), "and the request"


def test_another_strategy_runs_the_same_input(show: Any) -> None:
    shown = show(example("fig6.c"))
    evaluated(shown, "f", "3", "20")
    shown.press("END")
    first = shown.text("#text")
    shown("document.querySelector('#arguments input').value = ''")
    shown.click("[value=basic]")
    assert shown.text("#text") == first and "the value is" in first
    assert shown.text("#input-errors") == "", "the field was not submitted"


def test_a_parameter_shows_its_evidence(gcd: Shown) -> None:
    gcd.slide(gcd.last)
    gcd("document.querySelector('#flow .parameter[data-name=b1]').focus()")
    gcd.press("ENTER")
    assert gcd.text("#why-title") == "Why is b1 here?"
    assert gcd.text("#reason") == answer(f"{example('gcd.c')}:gcd", "b1", False)
    assert gcd("return document.activeElement.id") == "why-title"
    steps = gcd.texts("#history li")
    assert steps[0].startswith("step 10 while is not sealed: place a proxy, the parameter b1 of while, for b; record")
    assert len(steps) == 3
    gcd.click("#history button")
    assert gcd.step == 9
    gcd.press("ESCAPE")
    assert gcd("return byId('why').hidden")
    assert gcd("return document.activeElement.dataset.name") == "b1"


def test_a_removed_parameter_disappears_and_its_history_stays(show: Any) -> None:
    shown = show(example("fig5.c"), strategy="basic")
    shown.slide(shown.last - 2)
    assert "x" in shown.texts("#flow .parameter")
    shown.slide(shown.last)
    assert "x" not in shown.texts("#flow .parameter")
    shown("byId('find').value = 'name x';byId('find').dispatchEvent(new Event('change', { bubbles: true }))")
    shown.click("#ask")
    assert shown.text("#reason") == "The parameter `x` of `while` was placed, but is not in the finished function.\n"
    assert "x and x1 always equal 10: removed" in shown.text("#history li:last-child")


def test_the_steps_about_a_parameter_are_steps_of_the_construction_also_in_an_evaluation(gcd: Shown) -> None:
    evaluated(gcd, "gcd", "48", "36")
    gcd.click("#flow .parameter[data-name=b1]")
    gcd.click("#history button")
    assert gcd("return page.mode") == "construction"
    assert gcd.text("#text").startswith("while is not sealed: place a proxy, the parameter b1")
    assert gcd.text("#count") == f"{gcd.step + 1} / {gcd.last + 1}"


# ----------------------------------------------------------------------------------------------------- evaluation


def evaluated(shown: Shown, entry: str, *arguments: str) -> None:
    shown.click("[value=evaluation]")
    shown("const list = byId('entry'); list.value = arguments[0]; list.dispatchEvent(new Event('change'))", entry)
    shown(
        "const given = [...arguments[0]];"
        "for (const field of document.querySelectorAll('#arguments input')) field.value = given.shift()",
        [*arguments],
    )
    shown.click("#input [type=submit]")


def test_a_run_on_a_given_input_steps_forwards_and_backwards(gcd: Shown) -> None:
    evaluated(gcd, "gcd", "48", "36")
    seen = []
    for _ in range(gcd.last + 1):
        here = gcd.texts(".card.here .parameter")
        taken = len(gcd.texts(".route.on"))
        seen.append([gcd.text("#text"), gcd.text(".card.here h3"), ", ".join(here), taken])
        gcd.press("ARROW_RIGHT")
    assert [taken for *_, taken in seen] == [0, 1, 1, 1, 1, 1, 1, 0], "only the edge taken is marked"
    assert [shown for *shown, _ in seen] == [
        ["start with gcd", "gcd", "a = 48, b = 36, ret = end"],
        ["while(b1 = 36, a1 = 48)", "while", "b1 = 36, a1 = 48"],
        ["branch(true) → body", "body", ""],
        ["while(b1 = 12, a1 = 36)", "while", "b1 = 12, a1 = 36"],
        ["branch(true) → body", "body", ""],
        ["while(b1 = 0, a1 = 12)", "while", "b1 = 0, a1 = 12"],
        ["branch(false) → exit", "exit", ""],
        ["ret(12) → end: the value is 12", "exit", ""],
    ]
    gcd.slide(3)
    assert (gcd.text("#text"), gcd.text("#phi .here")) == (seen[3][0], "while:\n")
    values = gcd("return [...document.querySelectorAll('#values tbody tr')].map((row) => row.innerText.split('\\t'))")
    assert values == [["a", "48"], ["b", "36"], ["ret", "end"], ["b1", "12"], ["a1", "36"]]


def test_calls_lead_to_other_functions_and_output_is_shown(gcd: Shown) -> None:
    evaluated(gcd, "main")
    gcd.press("ARROW_RIGHT")
    assert gcd("return byId('function').value") == "gcd"
    gcd.press("END")
    assert gcd("return byId('function').value") == "main"
    assert gcd.text("#output") == expected_runs(example("gcd.c").read_text())[0].expected.output
    assert gcd.text("#text").endswith("done, exit status 0")
    gcd.press("HOME")
    assert gcd.text("#output") == ""


def test_an_invalid_argument_is_reported_at_its_field(gcd: Shown) -> None:
    evaluated(gcd, "gcd", "2147483648", "x")
    assert gcd.text("#input-errors") == (
        "a: 2147483648 is out of the range of int, -2147483648 to 2147483647; b: x is not an integer"
    )
    assert len(gcd.texts("[aria-invalid=true]")) == 2
    assert gcd("return document.activeElement.name") == "a", "the first wrong field has the focus"
    evaluated(gcd, "gcd", "7", " ")
    assert gcd.text("#input-errors") == "b: type a value of type int"
    assert gcd("return document.activeElement.name") == "b"
    evaluated(gcd, "gcd", "", "")
    assert gcd.text("#input-errors") == "a: type a value of type int; b: type a value of type int"
    evaluated(gcd, "gcd", "7", "0")
    assert gcd.text("#input-errors") == "" and gcd.last == 3


def test_typing_an_argument_does_not_step(gcd: Shown) -> None:
    evaluated(gcd, "gcd", "48", "36")
    gcd("document.querySelector('#arguments input').focus()")
    gcd.press("ARROW_RIGHT", "HOME", "9")
    assert gcd.step == 0
    assert gcd("return document.querySelector('#arguments input').value") == "948"


def test_errors_in_arguments_name_the_value_and_its_type(show: Any, tmp_path: Path) -> None:
    cases = [
        ("double", "", "type a value of type double"),
        ("double", "x", "x is not a number"),
        ("_Bool", "", "type a value of type bool"),
        ("unsigned char", "256", "256 is out of the range of unsigned char, 0 to 255"),
        ("unsigned char", "", "type a value of type unsigned char"),
        ("int", "1.5", "1.5 is not an integer"),
        ("int", "1 2", "1 2 is not an integer"),
    ]
    path = tmp_path / "typed.c"
    path.write_text("".join(f"int f{at}({type} n) {{ return n > 1; }}\n" for at, (type, *_) in enumerate(cases)))
    shown = show(path)
    for at, (_, text, message) in enumerate(cases):
        evaluated(shown, f"f{at}", text)
        assert shown.text("#input-errors") == f"n: {message}"


def test_an_evaluation_starts_with_the_requested_function(show: Any, driver: Any, folder: Path) -> None:
    start = "return [byId('entry').value, [...document.querySelectorAll('#arguments input')].map((each) => each.name)]"
    path = folder / "requested.html"
    path.write_text(page_of(f"{example('gcd.c')}:gcd"), encoding="utf-8")
    assert Shown(driver, path)(start) == ["gcd", ["a", "b"]], "FILE:FUNCTION"
    shown = show(example("gcd.c"))
    assert shown(start) == ["main", []]
    shown.choose("function", "main")
    shown.choose("function", "gcd")
    assert shown(start) == ["gcd", ["a", "b"]], "chosen on the page"


def test_another_start_is_shown_and_ends_the_evaluation(gcd: Shown) -> None:
    evaluated(gcd, "gcd", "48", "36")
    gcd.choose("entry", "main")
    assert gcd("return [byId('function').value, byId('entry').value]") == ["main", "main"]
    assert (gcd.last, gcd.text("#text")) == (0, "to start main, press Run")
    gcd.choose("function", "gcd")
    assert gcd("return [byId('function').value, byId('entry').value]") == ["gcd", "gcd"]


def test_a_runtime_error_shows_its_location(show: Any, tmp_path: Path) -> None:
    path = tmp_path / "fault.c"
    path.write_text("int f(int x) {\n    int y;\n    if (x) y = 1;\n    return 10 / x + y;\n}\n")
    shown = show(path)
    evaluated(shown, "f", "0")
    shown.press("END")
    assert shown.text("#text") == "runtime error: division by zero"
    assert shown.text("#source .now").strip() == "return 10 / x + y;"


def test_a_program_with_a_type_that_javascript_lacks_is_not_evaluated(show: Any, tmp_path: Path) -> None:
    path = tmp_path / "half.c"
    path.write_text("long double half(int x) {\n    return x / 2.0L;\n}\nint main(void) { return half(3) > 1; }\n")
    shown = show(path)
    evaluated(shown, "half", "3")
    assert shown.text("#text") == "not expressible in JavaScript: numbers of 80 bits (the type `long double`)"


RUN = """
const [program, entry, values] = arguments;
const definitions = new Definitions(program);
const start = definitions.functions.get(entry);
const machine = new Machine(definitions, start, values.map((text, at) => readValue(start.parameters[at].type, text)));
const trace = [];
while (!machine.outcome) {
  const scope = machine.scope.filter((each) => each.shown).map((each) => each.shown);
  machine.step();
  if (machine.transfer) trace.push([machine.transfer, scope]);
}
const text = (errors) => machine.output.filter((each) => each.isError === errors).map((each) => each.text).join("");
const { kind, message, value, type } = machine.outcome;
const result = value === undefined ? null : shownValue(value, type);
const ended = [text(false), text(true), kind, message ?? null, result, machine.steps, trace];
while (machine.steps) machine.back();
const names = (frame) => [...frame.keys()].map((each) => definitions.byNumber.get(each).shown).join();
return JSON.stringify([...ended, machine.output.length, machine.at.name, names(machine.frame)]);
"""


@pytest.fixture(scope="module")
def any_page(driver: Any, folder: Path) -> Shown:
    """A page, for the functions of its script."""
    return open_page(driver, folder, example("fig8.c"))


def played(shown: Shown, program: Program, entry: str, values: list[str]) -> list[Any]:
    found: list[Any] = json.loads(shown(RUN, program_data(program), entry, values))
    *ended, steps, trace, outputs, name, frame = found
    function = program.function(entry)
    assert function
    assert (outputs, name) == (0, entry), "the machine went all the way back"
    assert frame.split(",") == [parameter.name for parameter in function.parameters]
    assert steps == len(trace) + (ended[2] == "fault"), "the fault has no transfer"
    return [*ended, trace]


def by_python(program: Program, words: list[str], entry: str = "main") -> list[Any]:
    """The output, the errors, the end with its message or value, and the transfers of a run, each with the names of the
    values in scope where its continuation is entered.
    """
    output, errors, trace = io.BytesIO(), io.BytesIO(), list[list[Any]]()
    program = with_library(program)
    names = names_of(program)
    kind, message, value = "fault", None, None

    def note(record: TraceRecord) -> None:
        own = {names.get(statement) for statement in record.member.body}
        trace.append([transfer_text(record), [each.name for each in record.scope() if each.name not in own]])

    try:
        arguments = parse_arguments(entry_of(program, entry), words)
        outcome = evaluate(program, entry, arguments, output=output, errors=errors, trace=note)
        kind, value = type(outcome).__name__.lower(), getattr(outcome, "value", None)
    except ProgramError as fault:
        message = fault.args[0]
    texts = [stream.getvalue().decode("latin-1") for stream in (output, errors)]
    shown = str(value).lower() if isinstance(value, bool) else repr(value)
    return [*texts, kind, message, None if value is None else shown, trace]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_machine_agrees_with_the_reference_evaluator(any_page: Shown, path: Path) -> None:
    program = convert(read_source(str(path)))
    entry = program.function("main") or program.functions[0]
    values = ["7"] * (len(entry.parameters) - 1)
    assert played(any_page, program, entry.name, values) == by_python(program, values, entry.name)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("int f(int x) { int y; if (x) y = 1; return y; }", ["0"]),
        ("int f(int x) { int y; if (x) y = 1; return y + 1; }", ["0"]),
        ("int f(int x) { int y; if (y) return 1; return x; }", ["0"]),
        ("int f(int x) { return (-2147483647 - 1) / x; }", ["-1"]),
        ("int f(int x) { return 1 % x; }", ["0"]),
        ("#include <stdlib.h>\nint f(int x) { if (x > 2) exit(300); abort(); }", ["3"]),
        ("#include <stdlib.h>\nint f(int x) { if (x > 2) exit(300); abort(); }", ["1"]),
        ("#include <assert.h>\nint f(int x) { assert(x > 2); return x; }", ["1"]),
        ("#include <stdio.h>\nint f(int x) { putchar(x); puts(\"\\303\"); return printf(\"%5f\", x / 3.0); }", ["65"]),
        ("int g(int n) { return n == 0 ? 0 : 1 + g(n - 1); } int f(int x) { return g(x); }", ["1000"]),
        ("double f(int x) { return x * 1e20; }", ["3"]),
        ("float f(int x) { return x / 3.0f; }", ["1"]),
        ("unsigned char f(int x) { switch (x) { case 1: case 2: return 300; default: return x; } }", ["2"]),
        ("_Bool f(int x) { return x; }", ["2"]),
    ],
)  # fmt: skip
def test_faults_ends_and_types_are_the_same(any_page: Shown, text: str, values: list[str]) -> None:
    program = convert(Source("f.c", text))
    found, expected = played(any_page, program, "f", values), by_python(program, values, "f")
    assert found[:5] == expected[:5]


# ----------------------------------------------------------------------------------------------------- arithmetic

COMPUTE = """
function read(type, text) {
  if (type in INTEGERS) return INTEGERS[type](text);
  if (type === "bool") return text === "True";
  return constant({ type, value: /inf|nan/.test(text) ? text : Number(text) });
}
const show = (value) => (Object.is(value, -0) ? "-0" : Number.isNaN(value) ? "nan" : String(value));
return arguments[0].map(([op, types, result, values]) => {
  try {
    return show(operation(op, types, result)(...values.map((text, at) => read(types[at], text))));
  } catch (fault) {
    return fault.message;
  }
});
"""

TYPES = [type for type in SCALARS.values() if is_data(type) and type not in LACKING]
REAL = [0.0, -0.0, 0.5, -1.75, 3.0, 1e10, 3e9, 9.3e18, -9.3e18, 2.0**63, 2.0**64, 1e39, 5e-324, -129.5, 16777217.0]
REAL += [-(2.0**31) - 1, 2.0**31 - 0.5, math.inf, -math.inf, math.nan]
WHOLE = [0, 1, 2, 7, 31, 65, -1, -3, 2**24 + 1, 2**53 + 1, 0x7FFFFFBFFFFFFFFF, 0x7FFFFFC000000001, 2**31 - 1, -(2**31)]
WHOLE += [2**63 - 1, -(2**63)]


def some(type: Scalar) -> list[Any]:
    given: list[Any] = [True, False] if type is BOOL else REAL if type.kind == "float" else WHOLE
    return [*dict.fromkeys(normalised(type, value) for value in given)]


def cases() -> Iterator[tuple[str, list[Scalar], Scalar]]:
    for source, target in product(TYPES, TYPES):
        yield CONVERT, [source], target
    for op, type in product(EXACT, TYPES):
        for types in ([type], [type, type]):
            result = result_type(op, tuple(types))
            if result:
                yield op, types, result


def test_every_operation_computes_the_same_for_every_type(any_page: Shown) -> None:
    questions, expected = [], []
    for op, types, result in cases():
        for values in product(*map(some, types)):
            questions.append([op, [type.name for type in types], result.name, [*map(repr, values)]])
            expected.append(computed(op, types, result, values))
    assert len(questions) > 5000
    found = any_page(COMPUTE, questions)
    wrong = [triple for triple in zip(questions, found, expected, strict=True) if not same(*triple[1:])]
    assert wrong == []


def computed(op: str, types: list[Scalar], result: Scalar, values: tuple[Any, ...]) -> Any:
    operands = tuple(Constant(type, value) for type, value in zip(types, values, strict=True))
    try:
        return operation(Primitive(op, operands, result))(*values)
    except ProgramError as fault:
        return fault.args[0]


def same(found: str, expected: Any) -> bool:
    if isinstance(expected, float):
        return (found == "nan" and math.isnan(expected)) or struct.pack("d", float(found)) == struct.pack("d", expected)
    return found == (str(expected).lower() if isinstance(expected, bool) else str(expected))


FORMATS = [
    "%d", "%5d|", "%-6d|", "%+06d", "% d", "%.3d", "%8.3d", "%.0d", "%hhd", "%hd", "%ld", "%lli", "%u", "%lu", "%x",
    "%#x", "%#X", "%o", "%#o", "%#.3o", "%c", "%5c|", "%hhu", "%zx",
]  # fmt: skip
FLOATS = [
    "%f", "%.0f", "%#.0f", "%10.2f|", "%-10.1f|", "%+09.3f", "%.40f", "%e", "%.0e", "%#.0e", "%.15E", "%g", "%#g",
    "%.3g", "%.17g", "%G", "%.0g", "%a", "%.1a", "%.0a", "%A", "%20.3a|", "%F", "%05f",
]  # fmt: skip
DECIMALS = [0.1, 9.995, 999999.5, 123456789.125, 1e-5, 1e22, 2.5]


def test_printf_writes_the_same(any_page: Shown) -> None:
    numbers = [number for number in [*REAL, *DECIMALS] if not math.isnan(number)]
    questions = [["d", format, str(value)] for format in FORMATS for value in WHOLE]
    questions += [["f", format, repr(value)] for format in FLOATS for value in numbers]
    found = any_page(
        """const double = (text) => constant({ type: "double", value: /inf/.test(text) ? text : Number(text) });
        const read = { d: BigInt, f: double };
        return arguments[0].map(([kind, effects, text]) => formatted(effects, [read[kind](text)]));""",
        [[kind, format_data(format), text] for kind, format, text in questions],
    )
    texts = (formatted(format, [int(text) if kind == "d" else float(text)]) for kind, format, text in questions)
    expected = ["".join(chunks(each)) for each in texts]
    wrong = [triple for triple in zip(questions, found, expected, strict=True) if triple[1] != triple[2]]
    assert wrong == []


@pytest.mark.parametrize(
    ("format", "values"),
    [
        ("%d", []), ("%q", [1]), ("%s", [1]), ("%d", ["x"]), ("%Lf", [1.5]), ("%", []), ("%\xc3\xa4", [1]),
        ("a%%b\0c", []), ("%*d|%-*d|%.*d", [4, 1, 4, 1, 3, 7]), ("%*d", [-4, 1]),
        ("%.2s|%5s|%c", ["abc", "abc", 72]),
    ],
)  # fmt: skip
def test_printf_reports_the_same_errors(any_page: Shown, format: str, values: list[Any]) -> None:
    try:
        expected = "".join(chunks(formatted(format, values)))
    except ProgramError as fault:
        expected = f"fault: {fault.args[0]}"
    found = any_page(
        """const [effects, values] = arguments;
        try {
          return formatted(effects, values.map((each) => (Number.isInteger(each) ? BigInt(each) : each)));
        } catch (fault) {
          return `fault: ${fault.message}`;
        }""",
        format_data(format),
        values,
    )
    assert found == expected


def test_a_width_above_a_million_is_an_error_of_the_page(any_page: Shown) -> None:
    script = "try { return formatted(arguments[0], [1n]); } catch (fault) { return fault.message; }"
    found = any_page(script, format_data("%1000001d"))
    assert found == "the width or precision of `%1000001d` is too large"


# ------------------------------------------------------------------------------------------------- for everybody

CONTRASTS = """
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
function over(color, below) {
  canvas.clearRect(0, 0, 1, 1);
  for (const each of [below, color]) { canvas.fillStyle = each; canvas.fillRect(0, 0, 1, 1); }
  const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}
function background(element) {
  return element ? over(getComputedStyle(element).backgroundColor, background(element.parentElement)) : "white";
}
function luminance(color) {
  const parts = color.match(/\\d+/g).map(Number).map((part) => part / 255);
  const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
const low = [];
let count = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  const isSeen = element.checkVisibility() && !element.closest("option, script, noscript");
  if (!isSeen || !walker.currentNode.data.trim()) continue;
  const below = background(element);
  const [one, other] = [over(getComputedStyle(element).color, below), below].map(luminance);
  const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  count++;
  if (contrast < 4.5) low.push([element.outerHTML.slice(0, 80), contrast]);
}
return [count, low];
"""


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_all_text_has_enough_contrast(show: Any, driver: Any, size: tuple[int, int]) -> None:
    shown = show(example("fig5.c"), size, strategy="basic")
    for dark in (False, True):
        look(driver, *size, dark=dark)
        assert shown("return matchMedia('(prefers-color-scheme: dark)').matches") == dark
        shown.click("[value=construction]")
        for step in (60, shown.last - 1):
            shown.slide(step)
            shown.click(".card .parameter")
            count, low = shown(CONTRASTS)
            assert count > 30 and low == []
        evaluated(shown, "f", *"1" * 5)
        assert shown(CONTRASTS)[1] == []


@pytest.mark.parametrize(
    ("name", "sizes"), [("number_scanner.c", [NARROW, LAPTOP]), ("calendar.c", [(1920, 1080), PHONE, NARROW])]
)
def test_the_page_itself_never_scrolls_sideways(
    show: Any, driver: Any, name: str, sizes: list[tuple[int, int]]
) -> None:
    """The page is opened in a narrow or a wide window, whose size changes then."""
    shown = show(example(name), sizes[0])
    shown("byId('settings').open = true")
    for size in sizes:
        look(driver, *size)
        for pane in ("source", "flow", "cps", "phi", "listing", "run"):
            shown.click(f"[value={'evaluation' if pane == 'run' else 'construction'}]")
            shown(f"document.querySelector('#panes [data-pane={pane}]').click()")
            widths = shown(
                "const { scrollWidth, scrollHeight } = document.documentElement; return [scrollWidth, scrollHeight]"
            )
            assert widths[0] <= size[0] and widths[1] <= size[1], (size, pane)
            assert shown(f"return document.querySelector('#{pane}').checkVisibility()")


TOP = """
const { top, bottom } = document.querySelector("#source .scroll").getBoundingClientRect();
const lines = [...document.querySelectorAll("#source .line")];
const isSeen = (line) => line.top >= top - 1 && line.bottom <= bottom + 1;
const seen = lines.filter((line) => isSeen(line.getBoundingClientRect()));
return [Number(seen[0].dataset.number), seen.map((line) => line.textContent)];
"""


@pytest.mark.parametrize("size", [(1280, 720), PHONE], ids=["wide", "narrow"])
def test_the_source_pane_begins_with_the_function_that_is_shown(
    show: Any, tmp_path: Path, size: tuple[int, int]
) -> None:
    path = tmp_path / "headed.c"
    body = "".join(f"    n += {number};\n" for number in range(40))
    functions = "".join(f"int {name}(int n) {{\n{body}    return n;\n}}\n\n" for name in "fgh")
    path.write_text("// A header.\n" * 50 + functions)
    shown = show(path, size)
    if size == PHONE:
        shown.click("#panes [data-pane=source]")
    for name, line in (("f", 51), ("h", 51 + 2 * 44), ("g", 51 + 44)):
        if name != "f":
            shown.choose("function", name) if size != PHONE else shown(CHOOSE, name)
        first, lines = shown(TOP)
        assert line - 3 <= first <= line and f"int {name}(int n) {{\n" in lines
        assert shown("return document.querySelector('#source .now').dataset.number") == str(line)


CHOOSE = """
byId("settings").open = true;
byId("function").value = arguments[0];
byId("function").dispatchEvent(new Event("change", { bubbles: true }));
"""


def test_hostile_source_text_is_only_displayed(show: Any, tmp_path: Path) -> None:
    path = tmp_path / "<img onerror=alert(1)>.c"
    path.write_text(HOSTILE, encoding="utf-8")
    shown = show(path)
    assert shown.text("#source pre") == HOSTILE
    assert shown("return [typeof window.hit, document.images.length, document.scripts.length]") == ["undefined", 0, 2]
    shown.slide(7)
    marked = shown("return [...CSS.highlights.get('step')].map(String)")
    assert marked == ["size"], "the characters before it are counted right"


def test_a_text_may_have_any_number_of_lines(any_page: Shown) -> None:
    lines = "Array.from({ length: 300_000 }, () => document.createElement('i'))"
    assert any_page(f"const found = element('pre'); fill(found, {lines}); return found.childNodes.length") == 300_000


def test_a_step_changes_few_of_many_cards(show: Any, tmp_path: Path) -> None:
    count = 166 if is_full() else 16
    body = "".join(f"    if (n > {number}) a = a + n; else b = b + a;\n" for number in range(count))
    path = tmp_path / "large.c"
    path.write_text(f"int f(int n) {{\n    int a = 0, b = 0;\n{body}    return a + b;\n}}\n")
    shown = show(path)
    assert len(shown.texts(".card")) == 3 * count + 1
    changes = shown(
        """byId("slider").value = arguments[0];
        byId("slider").dispatchEvent(new Event("input"));
        const observer = new MutationObserver(() => {});
        observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        return Array.from({ length: 20 }, (_, count) => {
          byId(count % 2 ? "next" : "previous").click();
          return observer.takeRecords().length;
        });""",
        shown.last // 2,
    )
    assert max(changes) < 100
