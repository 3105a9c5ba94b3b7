"""Navigation on the page: addresses, stops, lines of the source, play, keys of presenters, and print."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.test_page import ROOT
from tests.test_page_browser import Shown, open_page

GCD = ROOT / "examples" / "gcd.c"

AFTER_A_WHILE = "const done = arguments[arguments.length - 1]; setTimeout(() => done(location.hash), 600);"
FOCUSED = """
const done = arguments[arguments.length - 1];
(function wait() {
  if (document.activeElement.id) done(document.activeElement.id);
  else setTimeout(wait, 20);
})();
"""
"""The control with the focus, which a browser gives to a loaded page when it likes."""


@pytest.fixture(scope="module")
def loaded(driver: Any, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """The page of ``gcd.c``, loaded once."""
    return open_page(driver, tmp_path_factory.mktemp("page"), GCD)


@pytest.fixture
def gcd(loaded: Shown) -> Iterator[Shown]:
    """The page at its first step. At the end, the browser must have logged no message."""
    loaded("page.visit({ function: 'gcd', strategy: 'scc', step: 0 })")
    yield loaded
    assert loaded.driver.get_log("browser") == []


def choose(gcd: Shown, kind: str = "every step", variable: str = "") -> None:
    gcd.choose("kind", kind)
    gcd.choose("variable", variable)


def stops(gcd: Shown) -> list[str]:
    """The sentences of all stops from the first step on, with the button that goes forward; the same as those back."""
    gcd.slide(0)
    texts: list[str] = gcd(CLICK, "next")
    back = [texts[-1], *gcd(CLICK, "previous")]
    assert back[::-1][-len(texts) :] == texts
    return texts


CLICK = """
const texts = [];
while (byId(arguments[0]).getAttribute("aria-disabled") === "false") {
  byId(arguments[0]).click();
  texts.push(byId("text").textContent);
}
return texts;
"""
"""The sentences that appear as long as a button can be pressed."""


def test_the_address_names_the_step_and_is_followed(gcd: Shown) -> None:
    gcd.click("[value=marker]")
    gcd.slide(21)
    assert gcd.driver.execute_async_script(AFTER_A_WHILE) == "#fn=gcd&strategy=marker&step=22"
    gcd.driver.refresh()
    assert gcd.driver.execute_async_script(FOCUSED) == "slider"
    choices = "return [page.function, page.strategy, page.step]"
    assert gcd(choices) == ["gcd", "marker", 21] and gcd.text("#text").startswith("go back from body")
    gcd("location.hash = '#fn=main&strategy=basic&step=3'")
    assert gcd.driver.execute_async_script(AFTER_A_WHILE) == "#fn=main&strategy=basic&step=3"
    assert gcd(choices) == ["main", "basic", 2]
    for nonsense in ("", "#", "#fn=constructor&strategy=__proto__&step=-1", "#%&&=&step=1.5", "#step=0x10"):
        gcd("location.hash = arguments[0]", nonsense)
        gcd.driver.execute_async_script(AFTER_A_WHILE)
        assert gcd(choices) == ["main", "basic", 2]
    gcd("location.hash = '#step=999999999'")
    gcd.driver.execute_async_script(AFTER_A_WHILE)
    assert gcd.step == gcd.last


def test_the_link_to_a_step_is_copied(gcd: Shown) -> None:
    gcd.slide(9)
    copied = """
    const done = arguments[arguments.length - 1];
    const texts = [];
    navigator.clipboard.writeText = arguments[0] ? async (text) => texts.push(text) : async () => { throw Error("no") };
    byId("copy").click();
    setTimeout(() => done([texts, byId("copied").textContent]), 50);
    """
    (link,), outcome = gcd.driver.execute_async_script(copied, True)
    assert (link.partition("#")[2], outcome) == ("fn=gcd&strategy=scc&step=10", "copied")
    assert gcd.driver.execute_async_script(copied, False) == [[], "not permitted here: copy the address of the page"]


def test_the_page_stops_at_steps_of_a_kind_and_of_a_variable(gcd: Shown) -> None:
    choose(gcd, "placements")
    assert [text.partition(";")[0] for text in stops(gcd)] == [
        "while is not sealed: place a proxy, the parameter b1 of while, for b",
        "while is not sealed: place a proxy, the parameter a1 of while, for a",
    ]
    choose(gcd, "seals")
    assert all(text.startswith("seal ") for text in stops(gcd))
    choose(gcd, "reads", "1")
    reads = stops(gcd)
    assert len(reads) > 1 and all(text.startswith("read b in ") for text in reads)
    gcd.click("[value=paper]")
    assert gcd("return byId('variable').selectedOptions[0].text") == "b", "another strategy keeps the variable"
    choose(gcd, variable="1")
    about = stops(gcd)
    assert {*reads} < {*about} and not any(text.startswith("read a in") for text in about)
    gcd.press("HOME", "PAGE_DOWN", "SPACE", "PAGE_UP")
    assert gcd.text("#text") == about[0], "keys stop there, too"
    choose(gcd, "removals", "0")
    gcd.slide(0)
    gcd.press("ARROW_RIGHT")
    assert gcd.step == 0, "there is no stop"
    choose(gcd)


def test_keys_of_presenters_step_from_everywhere(gcd: Shown) -> None:
    for selector in ("#slider", "#copy", "#source .scroll", "#cps .scroll", "summary"):
        gcd.slide(4)
        gcd("document.querySelector(arguments[0]).focus()", selector)
        gcd.press("PAGE_DOWN", "PAGE_DOWN", "PAGE_UP")
        assert gcd.step == 5, selector
        if selector not in ("#copy", "summary"):
            gcd.press("SPACE")
            assert gcd.step == 6, selector
    gcd("byId('next').focus()")
    gcd.press("SPACE")
    assert gcd.step == 6, "the button is pressed once"


def test_a_line_of_the_source_goes_to_its_first_step(gcd: Shown) -> None:
    gcd.driver.find_element("css selector", "#source [data-number='14'] .number").click()
    assert gcd.text("#text").startswith("read t in body")
    assert gcd("return document.activeElement.ariaLabel") == "first step of line 14"
    gcd.press("ARROW_UP", "ARROW_UP", "ENTER")
    assert gcd.text("#text").startswith("declare t") and gcd("return page.source.now.dataset.number") == "12"
    gcd.press("ARROW_RIGHT")
    assert gcd.text("#source .now").strip() == "int t = a % b;"
    assert len(gcd.texts("#source [tabindex='0'].number")) == 1, "Tab reaches one line"
    gcd.driver.find_element("css selector", "#source [data-number='20'] .number").click()
    assert gcd("return page.function") == "main", "the line of another function shows the function"
    assert not gcd.texts("#source [data-number='18'] button")


def test_the_play_goes_on_to_the_end(gcd: Shown) -> None:
    gcd("page.player.advance = () => page.advance(); byId('speed').options[2].value = 0.01")
    gcd.choose("speed", gcd("return byId('speed').options[2].value"))
    gcd.click("#play")
    assert gcd("return byId('play').ariaPressed") == "true"
    wait = "const done = arguments[0]; const timer = setInterval(() => page.player.timer || done(page.step), 10);"
    assert gcd.driver.execute_async_script(wait) == gcd.last
    gcd.slide(3)
    gcd.click("#play")
    gcd.click("#play")
    assert gcd("return [byId('play').ariaPressed, page.player.timer]") == ["false", None]


def test_a_printed_page_has_the_sentence_of_the_step(gcd: Shown, tmp_path: Path) -> None:
    gcd.slide(9)
    gcd.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        seen = gcd(
            "return ['#text', '#line', '#cps', '#flow', '#source', '#chosen', '.controls', '.settings', '#run']"
            ".filter((each) => document.querySelector(each).checkVisibility())"
        )
        assert seen == ["#text", "#line", "#cps", "#flow", "#source", "#chosen"]
        printed = base64.b64decode(gcd.driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
        assert printed.startswith(b"%PDF")
    finally:
        gcd.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
