"""Reconstruction after adding definitions of a value: paths through random graphs, and whole programs."""

from __future__ import annotations

import pytest

from cpsconv.core.transform import branch_duplication, jump_threading
from testing.expectations import ROOT
from tests.test_readme import blocks

# ----------------------------------------------------------------------------------------- docs/reconstruction.md

DOCS = (ROOT / "docs" / "reconstruction.md").read_text("utf-8")


def test_the_worked_example_prints_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    (code,), (shown,) = blocks("python", DOCS), blocks("text", DOCS)
    exec(compile(code, "docs/reconstruction.md", "exec"), {})
    assert capsys.readouterr().out == shown


def test_the_limits_are_those_of_the_code() -> None:
    for limit in (
        f"of up to {branch_duplication.MAX_STATEMENTS} statements",
        f"up to {branch_duplication.MAX_BETWEEN} that lie between",
        f"through {branch_duplication.MAX_PASSED} continuations at most",
        f"at most {jump_threading.MAX_ROUNDS} rounds",
    ):
        assert limit in " ".join(DOCS.split()), limit
