"""The panes of the page are resized, maximised and remembered; one page for all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from testing.browser import look
from tests.test_page import ROOT, page_of
from tests.test_page_browser import Shown

SIZES = """
const size = (id) => (({ width, height }) => [width, height])(byId(id).getBoundingClientRect());
return Object.fromEntries(["source", "listing", "flow", "cps", "phi"].map((id) => [id, size(id)]));
"""

PLAIN = "source", "listing", "flow", "cps", "phi"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "gcd.html"
    path.write_text(page_of(ROOT / "examples" / "gcd.c"), encoding="utf-8")
    return path


def seen(shown: Shown) -> list[str]:
    return [each for each in PLAIN if shown(f"return byId('{each}').checkVisibility()")]


def drag(shown: Shown, label: str, x: int, y: int) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    separator = shown.driver.find_element("css selector", f"[aria-label='{label}']")
    ActionChains(shown.driver).drag_and_drop_by_offset(separator, x, y).perform()


def test_panes_are_resized_maximised_and_remembered(driver: Any, path: Path) -> None:
    look(driver, 1600, 900)
    shown = Shown(driver, path)
    shown("localStorage.clear()")
    driver.refresh()
    first = shown(SIZES)
    shown.press("END")
    assert shown(
        "const { scrollWidth, clientWidth } = document.querySelector('#cps .scroll'); return scrollWidth <= clientWidth"
    )
    assert first["cps"][0] >= first["flow"][0] > first["source"][0] and first["cps"][1] > first["phi"][1]
    # by the pointer
    drag(shown, "width of the source", 100, 0)
    drag(shown, "height of the CPS text", 0, -80)
    moved = shown(SIZES)
    assert moved["source"][0] == pytest.approx(first["source"][0] + 100, abs=3)
    assert moved["flow"][0] == pytest.approx(first["flow"][0] - 100, abs=3) and moved["cps"][0] == first["cps"][0]
    assert moved["phi"][1] == pytest.approx(first["phi"][1] + 80, abs=3)
    # by the keyboard, which steps nowhere meanwhile
    shown.slide(5)
    shown("document.querySelector('[aria-label=\"height of the source\"]').focus()")
    before = shown("return document.activeElement.ariaValueNow")
    shown.press("ARROW_DOWN", "ARROW_DOWN", "ARROW_LEFT")
    assert int(shown("return document.activeElement.ariaValueNow")) > int(before) and shown.step == 5
    assert shown(SIZES)["source"][1] > moved["source"][1]
    for _ in range(40):
        shown.press("ARROW_DOWN")
    assert shown(SIZES)["listing"][1] > 30, "no pane disappears"
    shown.press("ENTER", "PAGE_DOWN")
    assert shown(SIZES)["source"][1] == first["source"][1] and shown.step == 6
    # one pane
    shown.click("#cps .maximise")
    assert seen(shown) == ["cps"] and shown(SIZES)["cps"][0] == 1600
    assert shown("return document.querySelector('#cps .maximise').ariaPressed") == "true"
    driver.refresh()
    assert seen(shown) == ["cps"]
    look(driver, 360, 740)
    assert seen(shown) == ["flow"], "a narrow screen shows the chosen pane"
    look(driver, 1600, 900)
    shown.click("#cps .maximise")
    assert seen(shown) == [*PLAIN]
    driver.refresh()
    assert shown(SIZES) == {
        **moved,
        "source": [moved["source"][0], first["source"][1]],
        "listing": [moved["listing"][0], first["listing"][1]],
    }
    # a pane that the mode does not show, now or after a reload, is not maximised any more
    shown.click("#listing .maximise")
    assert seen(shown) == ["listing"]
    shown.click("[value=evaluation]")
    assert seen(shown) == ["source", "flow", "cps", "phi"]
    shown.click("#run .maximise")
    driver.refresh()
    assert seen(shown) == [*PLAIN]
    shown.click("#cps .maximise")
    shown("byId('other').value = 'marker'; byId('other').dispatchEvent(new Event('change'))")
    assert seen(shown) == ["source", "listing", "flow"] and shown("return byId('beside').checkVisibility()")
    shown.click("#beside .maximise")
    driver.refresh()
    assert seen(shown) == [*PLAIN]
    # nonsense in the storage
    for text in ("{", "null", '{"sizes":[[1,2],"x",[0,-1]],"maximised":"\\"]"}', '{"sizes":7,"maximised":{}}'):
        shown("localStorage.setItem('cpsconv.panes', arguments[0])", text)
        driver.refresh()
        assert shown(SIZES) == first
    assert driver.get_log("browser") == []


def test_a_page_without_storage_forgets(driver: Any, path: Path) -> None:
    look(driver, 1600, 900)
    refusal = (
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    script = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": refusal})
    shown = Shown(driver, path)
    shown.click("#phi .maximise")
    assert seen(shown) == ["phi"]
    driver.refresh()
    assert seen(shown) == [*PLAIN] and driver.get_log("browser") == []
    driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
