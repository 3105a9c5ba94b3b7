"""The option ``--full``, and hypothesis without deadlines, since machines differ; reproducible where CI is set."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from tests import effort


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run all combinations of options and more examples")


def pytest_configure(config: pytest.Config) -> None:
    effort.set_full(config.getoption("full"))
    settings.register_profile(
        "local",
        deadline=None,
        max_examples=effort.examples(100),
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.register_profile("ci", settings.get_profile("local"), derandomize=True, print_blob=True)
    settings.load_profile("ci" if os.environ.get("CI") else "local")
