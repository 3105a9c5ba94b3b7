"""Fixtures of the command line and a browser, ``--full`` and ``--no-shrink``, and hypothesis without deadlines."""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, Phase, settings

from cpsconv.cli import main
from testing import effort
from testing.browser import chromium, look
from testing.huge_pages import use_huge_pages


class Done(NamedTuple):
    """The exit status and the output of a command."""

    status: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def cpsconv(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs command lines in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, stdin: bytes | str = b"") -> Done:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        status = main(arguments)
        captured = capsysbinary.readouterr()
        return Done(status, captured.out.decode("utf-8", "surrogateescape"), captured.err.decode("utf-8"))

    return run


@pytest.fixture(scope="module", autouse=True)
def collected() -> Iterator[None]:
    """Collects the garbage of a file at its end, and excludes what remains from later collections."""
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser for all tests of a process."""
    with chromium(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="module")
def driver(browser: Any) -> Any:
    """The browser of all files, as new: the page, its window and what pages have stored are those of no other file."""
    browser.get("about:blank")
    browser.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "file://", "storageTypes": "all"})
    look(browser, 1280, 800)
    browser.get_log("browser")
    return browser


_LONG = {
    *("playground_browser", "c_library", "llvm_ours", "engines_ends", "engines_memory", "page_browser"),
    *("readme", "small_evaluator", "reading", "size", "stats", "emit_functional", "page_panes"),
}
"""The files that begin first: those whose tests take longest, and long ones among the last in the alphabet."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files, so that no worker ends much later than the others."""
    items.sort(key=lambda item: item.path.stem.removeprefix("test_") not in _LONG)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """In a worker, report only the test itself and what fails or is skipped: the reports take much of a short test."""
    if not hasattr(item.config, "workerinput"):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    # Pytest has no public name for `runtestprotocol`, which also lets go of the fixtures of the test.
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_collection_finish() -> None:
    """Exempt modules and collected tests from garbage collection, and make forks fast."""
    gc.collect()
    gc.freeze()
    use_huge_pages()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-shrink", action="store_true", help="report the first failing example as it is")
    parser.addoption("--full", action="store_true", help="run all combinations of options and more examples")


def pytest_configure(config: pytest.Config) -> None:
    for number in (signal.SIGHUP, signal.SIGINT):  # ignored under nohup, and in the background of a shell script
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    gc.set_threshold(500_000)  # as in the command line
    effort.set_full(config.getoption("full"))
    settings.register_profile(
        "local", deadline=None, max_examples=effort.examples(100), suppress_health_check=[HealthCheck.too_slow]
    )
    settings.register_profile("ci", settings.get_profile("local"), derandomize=True, print_blob=True)
    if config.getoption("no_shrink"):
        phases = [phase for phase in Phase if phase not in (Phase.shrink, Phase.explain)]
        settings.register_profile("ci", settings.get_profile("ci"), phases=phases)
        settings.register_profile("local", settings.get_profile("local"), phases=phases)
    settings.load_profile("ci" if os.environ.get("CI") else "local")
