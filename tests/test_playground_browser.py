"""The playground in a real browser: typing, errors, views, links, the end of a run, keys, labels, colours and sizes."""

from __future__ import annotations

import base64
import json
import subprocess
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from cpsconv.cli.playground import answer
from cpsconv.lab.playground import VIEWS, Request, link
from scripts.playground import build, installed
from testing.browser import look
from testing.effort import is_full
from testing.playground import Served, serving

ROOT = Path(__file__).parent.parent
FIG8 = (ROOT / "examples" / "fig8.c").read_text(encoding="utf-8")
SUCCESSOR = "next(x : int, ret : int → ⊥) → ⊥ {\n  ret(x + 1)\n}\n"
RECURSION = "int f(int n) {\n    return f(n + 1) + 1;\n}\nint main(void) {\n    return f(0);\n}\n"
LONG = f"int f(int a, int b) {{\n    return {' + '.join(['(a * b - 12345)'] * 9)};\n}}\n"
ENDLESS = "int main(void) {\n    for (;;) {\n    }\n}\n"


class Playground:
    """The page in the browser."""

    def __init__(self, driver: Any, address: str) -> None:
        self.driver = driver
        self.address = address

    def __call__(self, script: str, *arguments: object) -> Any:
        helpers = "const byId = (id) => document.getElementById(id);"
        helpers += "const content = (id) => byId(id).shadowRoot.querySelector('.cm-content');"
        return self.driver.execute_script(helpers + script, *arguments)

    def open(self, request: Request, *, again: bool = True) -> None:
        """Open a link, in a new page unless the browser shows the page and `again` is false."""
        if not again and self.driver.current_url.startswith(self.address):
            self.go(request)
            self.settle()
            return
        self.driver.get("about:blank")
        self.driver.get(link(self.address, request))
        self.until(lambda: self("return document.readyState === 'complete' && byId('tabs').children.length > 0"))
        self.reach(request)
        self.settle()

    def go(self, request: Request) -> None:
        """Follow a link in the page."""
        self("location.hash = arguments[0]", link("", request))
        self.reach(request)

    def reach(self, request: Request) -> None:
        """Wait until the page has read a link."""
        self.until(lambda: self.text("source") == request.text)

    def until(self, holds: Callable[[], Any]) -> Any:
        """Wait until a condition holds, for a minute at most."""
        end = time.monotonic() + 60
        while not (found := holds()):
            assert time.monotonic() < end, self.driver.get_log("browser")
            time.sleep(0.02)
        return found

    def settle(self) -> None:
        """Wait until nothing is asked any more."""
        self.until(lambda: self("return byId('stop').disabled"))

    def follow(self) -> None:
        """Wait longer than the pause in typing that the page waits for, and until nothing is asked any more."""
        time.sleep(0.35)
        self.settle()

    def text(self, id: str) -> str:
        """The text in an editor, of which all lines are visible."""
        lines = "[...content(arguments[0]).querySelectorAll('.cm-line')].map((line) => line.textContent)"
        return str(self(f"return {lines}.join('\\n')", id))

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
        assert page.shown("command") == found["command"]
    page.view("cps")
    page.choose("[name=names]", "all")
    found = expected(Request(text=FIG8, names="all"))
    assert page.text("output") == found["output"].rstrip() and page.shown("command") == found["command"]
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
    assert page.shown("command") == "cpsconv run --strategy=basic program.c -- 7"
    page.view("page")
    page.driver.switch_to.frame("frame")
    try:
        page.until(lambda: "f, basic" in page("return document.body.innerText"))
    finally:
        page.driver.switch_to.default_content()


def test_typing_is_followed_and_errors_are_underlined(page: Playground) -> None:
    """Each character of a program is typed after a pause, so that each prefix is checked."""
    page.open(Request(text="\n"), again=False)
    page("content('source').focus()")
    for part in ("int f(int x) {", "\nwhi"):
        page.press(*part)
    page.follow()
    page.until(lambda: page("return byId('source').shadowRoot.querySelector('.cm-tooltip-autocomplete li')"))
    assert "while" in page("return byId('source').shadowRoot.querySelector('.cm-tooltip-autocomplete').textContent")
    page.press("ENTER")
    for character in " (y)\nx = 3;":
        page.press(character)
        page.follow()
        assert "Traceback" not in page("return document.body.textContent")
    assert page("return byId('source').shadowRoot.querySelectorAll('.cm-lintRange-error').length") > 0
    assert "`y` is not declared" in page.shown("problems")
    page.press("\n", *"return x;")
    page.follow()
    page("byId('problems').firstChild.click()")
    assert page.focused() == "Program"
    page.press("RIGHT", "BACK_SPACE", "x")
    page.follow()
    assert page.shown("problems") == "" and page.shown("errors") == ""
    assert "while := (x1 : int)" in page.text("output")


def test_a_link_restores_the_page_and_a_menu_item_can_be_undone(page: Playground) -> None:
    request = Request(text=FIG8, view="emit", target="python", strategy="marker", optimise=True, minimal=False)
    page.open(request, again=False)
    assert page.shown("command") == expected(request)["command"]
    assert page("return document.querySelector('[name=optimise]').checked")
    address = page.driver.current_url
    page.choose("#menu", "Examples/gcd.c")
    assert "gcd" in page.text("output") and page.driver.current_url != address
    page.driver.back()
    page.reach(request)
    page.settle()
    assert page.driver.current_url == address
    assert page.text("output") == expected(request)["output"].rstrip()
    page.choose("#menu", "Exercises/maximum")
    assert page("return byId('tab-exercise').getAttribute('aria-selected')") == "true"
    assert "int maximum(int a, int b)" in page.text("reference")
    page("byId('link').click()")
    page.until(lambda: "link copied" in page.shown("busy") or "copy the address" in page.shown("busy"))
    page("location.hash = arguments[0]", link("", Request(text=FIG8)))
    page.until(lambda: page.text("output") == expected(Request(text=FIG8))["output"].rstrip())
    page.driver.back()
    page.until(lambda: page.text("source").startswith("maximum("))
    page.driver.refresh()
    page.until(lambda: page("return document.readyState === 'complete' && byId('tabs').children.length > 0"))
    page.until(lambda: page.text("source") != "")
    assert page.text("source").startswith("maximum(a : int, b : int, ret : int → ⊥) → ⊥ {")


def test_a_link_restores_the_step_and_the_page_of_the_steps_copies_it(page: Playground) -> None:
    def in_frame(script: str) -> Any:
        page.driver.switch_to.frame("frame")
        try:
            return page(script)
        finally:
            page.driver.switch_to.default_content()

    def shows(strategy: str, step: int) -> bool:
        place = in_frame("return document.readyState === 'complete' && page ? page.address.fragment : ''")
        return bool(place == f"#fn=f&strategy={strategy}&step={step}")

    def place() -> str:
        fragment = page.driver.current_url.partition("#")[2]
        packed = base64.urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4))
        return str(json.loads(zlib.decompress(packed, -zlib.MAX_WBITS)).get("place"))

    page.open(Request(view="page", text=FIG8, place="fn=f&strategy=basic&step=7"), again=False)
    page.until(lambda: shows("basic", 7))
    in_frame("byId('next').click()")
    page.until(lambda: place() == "fn=f&strategy=basic&step=8")
    marked = "return byId('source').shadowRoot.querySelector('.step')?.textContent"
    page.until(lambda: page(marked) == "x == 0")
    in_frame("byId('copy').click()")
    page.until(lambda: in_frame("return byId('copied').textContent").startswith(("link copied", "not permitted")))
    address = page.driver.current_url
    page("content('source').focus()")
    page.press(*"// a comment\n")
    page.follow()
    page.until(lambda: shows("basic", 8))
    assert page.focused() == "Program", "the page in the frame, which was loaded again, took no focus"
    page.until(lambda: page(marked) == "x == 0")
    page.view("cps")
    assert page(marked) is None
    page.view("page")
    page.choose("[name=strategy]", "marker")
    page.until(lambda: shows("marker", 1))
    page.driver.get("about:blank")
    page.driver.get(address)
    page.until(lambda: page("return document.readyState === 'complete' && !byId('frame').hidden"))
    page.until(lambda: shows("basic", 8))


def test_an_endless_run_is_stopped_by_a_button_by_a_limit_and_by_typing(page: Playground) -> None:
    page.open(Request(text=FIG8))
    page.go(Request(view="run", text=ENDLESS))
    page("byId('stop').click()")
    page.settle()
    assert page.shown("status") == "stopped"
    page("window.later = window.setTimeout; window.setTimeout = (call, time) => later(call, time / 100)")
    page.choose("[name=engine]", "machine")
    assert page.shown("status") == "stopped after 10 seconds"
    page("window.setTimeout = later; document.querySelector('[name=engine]').dispatchEvent(new Event('change'))")
    page("content('source').focus()")
    page.press("x")
    page.follow()
    assert page.shown("status") == "exit status 1" and "error" in page.shown("problems")


def test_the_page_is_used_by_keys_alone(page: Playground) -> None:
    page.open(Request(text=FIG8))
    order: list[str] = []
    while len(order) < 20 and "Output of the command" not in order:
        page.press("TAB")
        order.append(page.focused())
    names = [
        "menu",
        "language",
        "strategy",
        "minimal",
        "optimise",
        "link",
        "Program",
        "splitter",
        "tab-cps",
        "layout",
        "names",
    ]
    assert order == [*names, "Output of the command"]
    page("byId('splitter').focus()")
    page.press("END", "HOME", "RIGHT")
    assert page("return byId('splitter').getAttribute('aria-valuenow')") == "5"
    page("byId('tab-cps').focus()")
    page.press("RIGHT")
    assert page.focused() == "tab-phi"
    page.press("LEFT", "LEFT")
    page.follow()
    assert page.focused() == "tab-exercise" and "--against=maximum.c" in page.shown("command")


def test_the_page_fits_and_follows_the_colour_scheme(page: Playground) -> None:
    page.open(Request(text=FIG8), again=False)
    for view in [name for name in VIEWS if VIEWS[name].title]:
        page.view(view)
        for width, height, dark in ((1024, 768, False), (1600, 900, True)):
            look(page.driver, width, height, dark=dark)
            assert page("const e = document.documentElement; return [e.scrollWidth, e.scrollHeight]") == [width, height]
            assert (page("return getComputedStyle(document.body).backgroundColor") == "rgb(13, 17, 23)") == dark


# -------------------------------------------------------------------------------------------------- packages from npm


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the packages from npm."""
    if not which("npm"):
        pytest.skip("needs npm")
    try:
        return installed(tmp_path_factory.mktemp("packages"))
    except subprocess.CalledProcessError:
        pytest.skip("needs the registry of npm")


def test_a_screen_reader_finds_labels_and_roles(page: Playground, packages: Path) -> None:
    axe = (packages / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    look(page.driver, 1024, 768)
    page.open(Request(text="int f(int x) { return y; }\n// a comment"))
    page.driver.execute_script(axe)

    def passed(**rules: list[str]) -> int:
        """The number of rules that the page keeps; it breaks none."""
        found = page.driver.execute_async_script(
            "const [options, done] = arguments; axe.run({ exclude: ['#frame'] }, options).then(done)",
            {"iframes": False, **rules},
        )
        assert [(each["id"], node["html"]) for each in found["violations"] for node in each["nodes"]] == []
        return len(found["passes"])

    for view in [name for name in VIEWS if VIEWS[name].title]:
        page.view(view)
        assert passed() > 15
        look(page.driver, 1024, 768, dark=True)
        assert passed(runOnly=["color-contrast"]) == 1
        look(page.driver, 1024, 768)
    look(page.driver, 700, 420)
    for text in (FIG8, f"{FIG8}}}"):  # an error: the output is that of the program before it
        page.go(Request(text=text))
        page.settle()
    assert page.shown("errors") and passed(runOnly=["scrollable-region-focusable"]) == 1
    page.driver.get_log("browser")  # the policy forbids the styles with which axe tries contrasts


class _Site(SimpleHTTPRequestHandler):
    """Sends the packages after something was typed, so that the page is used before Python has started."""

    typed = threading.Event()

    def do_GET(self) -> None:
        if self.path == "/packages.zip":
            self.typed.wait(60)
        super().do_GET()

    def log_message(self, format: str, *arguments: Any) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def site(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the static playground, whose modules are compiled with ``--full``."""
    folder = tmp_path_factory.mktemp("site")
    build(folder, packages, compiled=is_full())
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Site, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_the_static_page_answers_as_the_commands_do(driver: Any, site: str) -> None:
    look(driver, 1024, 768)
    driver.get_log("browser")
    page = Playground(driver, site)
    driver.get(link(site, Request(text=FIG8)))
    page("window.later = setTimeout; window.setTimeout = (call, time) => later(call, time < 1e4 ? time : 9 * time)")
    page("content('source').focus()")
    page.press("HOME", "x")
    assert page.text("source").startswith("x//") and page.text("output") == ""
    page.press("BACK_SPACE")
    _Site.typed.set()
    page.follow()
    for view in ("why", "cps"):
        page.view(view)
        found = expected(Request(text=FIG8, view=view))
        assert (page.text("output"), page.shown("errors")) == (found["output"].rstrip(), found["errors"])
    page.choose("[name=strategy]", "marker")
    page.view("run")
    for name in ("Gcd.mod", "euclid.while", "sieve.bril"):
        page.choose("#menu", f"Examples/{name}")
        assert page.text("output") != "" and page.shown("errors") == "", name
    page.go(Request(view="run", language="cps", text=SUCCESSOR, arguments="41"))
    page.settle()
    assert page.text("output") == "42"
    for target in ("python", "latex"):  # which need source files, and the package for long lines
        request = Request(view="emit", target=target, text=LONG)
        page.go(request)
        page.settle()
        assert page.text("output") == expected(request)["output"].rstrip(), page.shown("errors")
    page.go(Request(view="run", language="cps", text=SUCCESSOR, arguments="41"))
    page.settle()
    page.choose("[name=engine]", "llvm")
    assert page.shown("errors").startswith("error: the engine llvm requires ")
    page.go(Request(view="run", text=RECURSION))
    page.settle()
    assert "more than 2000 calls are pending" in page.shown("errors") and page.shown("status") == "exit status 3"
    page.go(Request(view="run", text=ENDLESS))
    page.until(lambda: page.shown("busy") == "working …")
    page("byId('stop').click()")
    page.until(lambda: page.shown("status") == "stopped")
    page.go(Request(text=FIG8))
    page.until(lambda: page.shown("busy") == "loading the engine …")  # a new one
    origins = "return performance.getEntriesByType('resource').map((each) => new URL(each.name).origin)"
    assert {f"{origin}/" for origin in page(origins)} == {site}
    assert driver.get_log("browser") == []
    driver.get("about:blank")
