"""The options ``--full`` and ``--no-shrink``, and hypothesis without deadlines; reproducible where CI is set."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests import effort


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-shrink", action="store_true", help="report the first failing example as it is")
    parser.addoption("--full", action="store_true", help="run all combinations of options and more examples")


def pytest_configure(config: pytest.Config) -> None:
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
