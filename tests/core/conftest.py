"""The tests of the core import nothing of the front end for C, and start no program but Python."""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

_tests: list[str] = []
"""The test of the core that is running."""


def _forbid(event: str, arguments: tuple[Any, ...]) -> None:
    """Raise `AssertionError` for what a test of the core must not do."""
    if _tests and event == "import":
        assert arguments[0].split(".")[:3] != ["cpsconv", "languages", "c"], arguments[0]
    if _tests and event == "subprocess.Popen":
        assert arguments[0] == sys.executable, arguments[0]


sys.addaudithook(_forbid)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    if Path(__file__).parent in item.path.parents:  # the hook is called for the tests of all folders
        _tests.append(item.nodeid)
    try:
        return (yield)
    finally:
        _tests.clear()
