"""The playground in a real browser: typing, errors, views, links, the end of a run, keys, labels, colours and sizes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cpsconv.cli.playground import answer
from cpsconv.lab.playground import VIEWS, Request, link
from testing.browser import look
from testing.playground import Served, serving

ROOT = Path(__file__).parent.parent
FIG8 = (ROOT / "examples" / "fig8.c").read_text(encoding="utf-8")
ENDLESS = "int main(void) {\n    for (;;) {\n    }\n}\n"


class Playground:
    """The page in the browser."""

    def __init__(self, driver: Any, address: str) -> None:
        self.driver = driver
        self.address = address
        self.editor: Any = None

    def __call__(self, script: str, *arguments: object) -> Any:
        helpers = "const byId = (id) => document.getElementById(id);"
        helpers += "const content = (id) => byId(id).shadowRoot.querySelector('.cm-content');"
        return self.driver.execute_script(helpers + script, *arguments)

    def open(self, request: Request) -> None:
        """Open a link in a new page."""
        self.driver.get("about:blank")
        self.driver.get(link(self.address, request))
        self.settle()

    def until(self, holds: Callable[[], Any]) -> Any:
        """Wait until a condition holds, for a minute at most."""
        end = time.monotonic() + 60
        while not (found := holds()):
            assert time.monotonic() < end, self.driver.get_log("browser")
            time.sleep(0.02)
        return found

    def settle(self) -> None:
        """Wait until nothing is typed or asked any more: longer than the pause that the page waits for."""
        self.until(lambda: self("return document.readyState === 'complete' && byId('tabs').children.length > 0"))
        time.sleep(0.35)
        self.until(lambda: self("return byId('stop').disabled"))

    def text(self, id: str) -> str:
        return str(
            self(
                "return content(arguments[0]).cmView?.view?.state.doc.toString() ?? "
                "[...content(arguments[0]).children].map((line) => line.textContent).join('\\n')",
                id,
            )
        )

    def shown(self, id: str) -> str:
        return str(self("return byId(arguments[0]).textContent", id))

    def choose(self, name: str, value: str) -> None:
        """Choose from a list, as a user does."""
        self(
            "const s = document.querySelector(arguments[0]); s.value = arguments[1];"
            "s.dispatchEvent(new Event('change'))",
            name,
            value,
        )
        self.settle()

    def view(self, name: str) -> None:
        self("byId(`tab-${arguments[0]}`).click()", name)
        self.settle()

    def press(self, *keys: str, held: str = "") -> None:
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        actions = ActionChains(self.driver)
        if held:
            actions.key_down(getattr(Keys, held))
        actions.send_keys(*(getattr(Keys, key, key) for key in keys))
        if held:
            actions.key_up(getattr(Keys, held))
        actions.perform()

    def focused(self) -> str:
        """The element that has the focus: its identifier, its name, or the label of an editor."""
        return str(
            self(
                "const e = document.activeElement; const inner = e.shadowRoot?.activeElement;"
                "return inner?.getAttribute('aria-label') || e.id || e.name"
            )
        )


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as found:
        yield found


@pytest.fixture
def page(driver: Any, served: Served) -> Iterator[Playground]:
    """The page, which at the end must have logged no message."""
    look(driver, 1600, 900)
    driver.get_log("browser")
    yield Playground(driver, served.address)
    assert driver.get_log("browser") == []


def expected(request: Request) -> Any:
    return answer(request._asdict())


def test_every_view_follows_the_program(page: Playground) -> None:
    page.open(Request(text=FIG8))
    assert page.text("source").strip() == FIG8.strip()
    for view in ("cps", "phi", "emit"):
        page.view(view)
        found = expected(Request(text=FIG8, view=view))
        assert page.text("output") == found["output"].rstrip()
        assert page.shown("command").strip() == found["command"]
    page.view("compare")
    assert "aycock-horspool" in page.text("output")
    page.view("why")
    options = page("return [...document.querySelectorAll('[name=name] option')].map((each) => each.value)")
    assert {"f:next.a", "f:a@then"} <= {*options}
    page.choose("[name=name]", "f:next.a")
    assert page.text("output") == expected(Request(text=FIG8, view="why", name="f:next.a"))["output"].rstrip()
    page.view("run")
    assert "argument" in page.shown("errors") and page.shown("status") == "exit status 1"
    page("const i = document.querySelector('[name=arguments]'); i.value = '7'; i.dispatchEvent(new Event('input'))")
    page.settle()
    assert page.text("output") == "42" and page.shown("errors") == page.shown("status") == ""
    page.choose("[name=strategy]", "basic")
    assert page.shown("command").strip() == "cpsconv run --strategy=basic program.c -- 7"
    page.view("page")
    page.driver.switch_to.frame("frame")
    try:
        page.until(lambda: "f, basic" in page("return document.body.innerText"))
    finally:
        page.driver.switch_to.default_content()


def test_typing_is_followed_and_errors_are_underlined(page: Playground) -> None:
    """Each character of a program is typed after a pause, so that each prefix is checked."""
    page.open(Request(text="\n"))
    page("content('source').focus()")
    for part in ("int f(int x) {", "\nwhi"):
        page.press(*part)
    page.settle()
    page.until(lambda: page("return byId('source').shadowRoot.querySelector('.cm-tooltip-autocomplete li')"))
    assert "while" in page("return byId('source').shadowRoot.querySelector('.cm-tooltip-autocomplete').textContent")
    page.press("ENTER")
    for character in " (y)\nx = 3;":
        page.press(character)
        page.settle()
        assert "Traceback" not in page("return document.body.textContent")
    assert page("return byId('source').shadowRoot.querySelectorAll('.cm-lintRange-error').length") > 0
    assert "`y` is not declared" in page.shown("problems")
    page.press("\n", *"return x;")
    page.settle()
    page("byId('problems').firstChild.click()")
    assert page.focused() == "Program"
    page.press("RIGHT", "BACK_SPACE", "x")
    page.settle()
    assert page.shown("problems") == "" and page.shown("errors") == ""
    assert "while := (x1 : int)" in page.text("output")


def test_a_link_restores_the_page_and_a_menu_item_can_be_undone(page: Playground) -> None:
    request = Request(text=FIG8, view="emit", target="python", strategy="marker", optimise=True, minimal=False)
    page.open(request)
    assert page.shown("command").strip() == expected(request)["command"]
    assert page("return document.querySelector('[name=optimise]').checked")
    address = page.driver.current_url
    page.choose("#menu", "Examples/gcd.c")
    assert "gcd" in page.text("output") and page.driver.current_url != address
    page.driver.back()
    page.settle()
    assert page.driver.current_url == address
    assert page.text("output") == expected(request)["output"].rstrip()
    page.choose("#menu", "Exercises/maximum")
    assert page("return byId('tab-exercise').getAttribute('aria-selected')") == "true"
    assert "int maximum(int a, int b)" in page.text("reference")
    page.driver.refresh()
    page.settle()
    assert page.text("source").startswith("maximum(a : int, b : int, ret : int → ⊥) → ⊥ {")


def test_an_endless_run_is_stopped_by_a_button_by_a_limit_and_by_typing(page: Playground) -> None:
    page.open(Request())
    faster = "const later = window.setTimeout; window.setTimeout = (call, time) => later(call, time / 20);"
    for stop, message in (("byId('stop').click()", "stopped"), ("", "stopped after 10 seconds")):
        page(
            "history.pushState(null, '', arguments[0]); dispatchEvent(new Event('popstate'));",
            link(page.address, Request(view="run", text=ENDLESS)),
        )
        page.until(lambda: not page("return byId('stop').disabled"))
        page(stop)
        if not stop:
            page(
                faster + "window.restore = () => (window.setTimeout = later);"
                "document.querySelector('[name=engine]').dispatchEvent(new Event('change'))"
            )
        page.until(lambda: page("return byId('stop').disabled"))
        assert page.shown("status") == message
    page("restore()")


def test_the_page_is_used_by_keys_alone(page: Playground) -> None:
    page.open(Request(text=FIG8))
    order: list[str] = []
    while len(order) < 20 and "Output of the command" not in order:
        page.press("TAB")
        order.append(page.focused())
    names = ["menu", "language", "strategy", "minimal", "optimise", "link", "Program", "splitter", "tab-cps", "layout"]
    assert order == [*names, "Output of the command"]
    page("byId('splitter').focus()")
    page.press("END", "HOME", "RIGHT")
    assert page("return byId('splitter').getAttribute('aria-valuenow')") == "5"
    page("byId('tab-cps').focus()")
    page.press("RIGHT")
    assert page.focused() == "tab-phi"
    page.press("LEFT", "LEFT")
    page.settle()
    assert page.focused() == "tab-exercise" and "--against=maximum.c" in page.shown("command")


@pytest.mark.parametrize("dark", [False, True])
def test_the_page_fits_and_has_contrast(page: Playground, dark: bool) -> None:
    for width, height in ((1024, 768), (1600, 900)):
        look(page.driver, width, height, dark=dark)
        page.open(Request(text=FIG8))
        for view in [name for name in VIEWS if VIEWS[name].title]:
            page.view(view)
            assert page("const e = document.documentElement; return [e.scrollWidth, e.scrollHeight]") == [width, height]
    colours = page("const s = getComputedStyle(document.body); return [s.backgroundColor, s.color]")
    assert (colours[0] == "rgb(13, 17, 23)") == dark
