"""A language chooses the rule for undefined operands in its row: all commands that construct programs apply it."""

from __future__ import annotations

import pytest

from cpsconv import Source, convert, pretty
from cpsconv.core.analysis.undefined_operands import replace_undefined
from cpsconv.core.construction import STRATEGIES
from cpsconv.core.source import Diagnostic
from cpsconv.lab.explain.comparison import compare
from cpsconv.languages import LANGUAGES

MAYBE = Source("f.c", "int f(int n) { int x; if (n) x = 5; while (n--) ; return x; }")
RESULT = Source("f.c", "int f(int n) { int x, y = n + 1; if (n) x = y; return x; }")


@pytest.fixture
def other_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LANGUAGES, "c", LANGUAGES["c"]._replace(undefined=replace_undefined))


@pytest.mark.usefixtures("other_rule")
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("thread_jumps", [False, True])
def test_a_conversion_replaces_undefined_values(strategy: str, thread_jumps: bool) -> None:
    for source, result in (MAYBE, "ret(5)"), (RESULT, "ret(y)"):
        warnings: list[Diagnostic] = []
        program = convert(source, strategy=strategy, certify=True, thread_jumps=thread_jumps, warnings=warnings)
        assert result in pretty(program) and warnings == []


def test_without_a_rule_of_its_own_a_language_keeps_undefined_values() -> None:
    for source in MAYBE, RESULT:
        warnings: list[Diagnostic] = []
        assert "ret(x" in pretty(convert(source, certify=True, warnings=warnings))
        assert [each.rule for each in warnings] == ["maybe-uninitialized"]


@pytest.mark.usefixtures("other_rule")
def test_a_comparison_counts_by_the_rule() -> None:
    rows = compare(RESULT, strategies=STRATEGIES, repeat=1)
    assert [(row.kept, row.minimal) for row in rows] == [(1, 0)] * len(STRATEGIES)
