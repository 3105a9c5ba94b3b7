"""Comparison of constructions: the rows, the table, the JSON, and files with errors."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from cpsconv.core.construction import Builder, Variable
from cpsconv.core.ir import INT, Function
from cpsconv.core.source import DiagnosticError, Source, read_source
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.lab.explain.comparison import compare, totals
from cpsconv.pipeline import convert
from testing.effort import sample
from tests.conftest import Run

ROOT = Path(__file__).parent.parent
FIG5 = str(ROOT / "examples" / "fig5.c")
KEYS = {"file", "function", "strategy", "continuations", "placed", "removed", "kept", "arguments", "lookups", "seconds"}
TWO = "int g(int n) { return n; }\nint f(int n) { int y = n; while (n > 0) { y = n; n = n - 1; } return y + g(n); }\n"


@pytest.mark.parametrize("path", sample(sorted((ROOT / "examples").glob("*.c")), 4), ids=lambda path: path.stem)
def test_the_rows_have_the_counts_of_a_conversion(path: Path) -> None:
    source = read_source(str(path))
    rows = compare(source, repeat=1)
    for strategy in ("basic", "marker", "scc"):
        program = convert(source, strategy=strategy)
        found = [row for row in rows if row.strategy == strategy]
        assert [row.function for row in found] == [function.name for function in program.functions]
        for row, (function, counts) in zip(found, program.counts.items(), strict=True):
            assert (row.placed, row.removed, row.kept) == (counts.placed, counts.removed, counts.kept)
            assert (row.arguments, row.lookups) == (counts.arguments, counts.lookups)
            assert row.continuations == len(function.continuations)


def test_rows_come_function_by_function_and_strategy_by_strategy() -> None:
    rows = compare(Source("two.c", TWO), strategies=["scc", "cytron"], repeat=3)
    assert [(row.function, row.strategy) for row in rows] == [
        (function, strategy) for function in ("g", "f") for strategy in ("scc", "cytron")
    ]
    assert all(row.file == "two.c" and row.seconds for row in rows)


def test_the_counts_after_algorithm_5_are_optional() -> None:
    figure_5 = read_source(FIG5)
    assert [row.minimal for row in compare(figure_5, strategies=["basic", "scc"], repeat=1)] == [2, 2]
    assert [row.kept for row in compare(figure_5, strategies=["basic", "scc"], repeat=1)] == [4, 2]
    assert [row.minimal for row in compare(figure_5, strategies=["basic"], repeat=1, minimal=False)] == [None]


def test_the_result_of_a_call_is_no_placed_parameter() -> None:
    rows = compare(Source("call.c", "int g(void) { return 1; } int f(void) { return g() + g(); }"), repeat=1)
    assert {(row.kept, row.minimal) for row in rows} == {(0, 0)}


def test_totals_are_sums_for_each_strategy() -> None:
    rows = compare(Source("two.c", TWO), strategies=["basic", "two-phase"], repeat=1)
    basic, two_phase = totals(rows)
    assert (basic.strategy, two_phase.strategy) == ("basic", "two-phase")
    for name in ("continuations", "placed", "removed", "kept", "minimal", "arguments", "lookups", "seconds"):
        assert getattr(basic, name) == sum(getattr(row, name) for row in rows if row.strategy == "basic")


def test_cps_text_cannot_be_compared() -> None:
    with pytest.raises(DiagnosticError) as caught:
        compare(Source("f.cps", "f(ret : int → ⊥) → ⊥ { ret(1) }"))
    assert [d.message for d in caught.value.diagnostics] == ["f.cps: CPS text has no variables to place parameters for"]


# ------------------------------------------------------------------------------------------------ the command line


def test_a_function_that_is_too_large_for_a_strategy_has_no_figures_there(
    cpsconv: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("two.c").write_text("int f(int n) { int m = 0; if (n) m = 1; return m; } int g(int n) { return f(n); }")
    names = "aycock-horspool,cytron"
    usual = json.loads(cpsconv("compare", "--json", "--strategy", names, "two.c").out)
    monkeypatch.setattr("cpsconv.lab.baselines.aycock_horspool.MAX_PARAMETERS", 2)
    refusal = "`f` has 2 continuations and 2 variables, too many for the strategy aycock-horspool"
    status, out, err = cpsconv("compare", "--json", "--strategy", names, "two.c")
    assert (status, err) == (0, f"note: two.c: {refusal}\n")
    refused, *others = json.loads(out)
    assert {key: value for key, value in refused.items() if value is not None} == {
        "file": "two.c",
        "function": "f",
        "strategy": "aycock-horspool",
        "refusal": refusal,
    }
    for row, before in zip(others, usual[1:], strict=True):
        assert row | {"seconds": 0} == before | {"seconds": 0}
    lines = cpsconv("compare", "--columns", "placed,kept", "--strategy", names, "two.c").out.splitlines()
    assert [line.split()[-2:] for line in lines[1:]] == [
        ["-", "-"],
        ["1", "1"],
        ["1", "0"],
        ["0", "0"],
        ["-", "-"],
        ["1", "1"],
    ]
    assert cpsconv("compare", "--strategy", "aycock-horspool", "two.c:g").err == ""


def test_a_function_that_is_too_large_for_a_strategy_is_not_built_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpsconv.lab.baselines.aycock_horspool.MAX_PARAMETERS", 0)
    builder = Builder("aycock-horspool")
    builder.function("f", [], INT)
    k = builder.continuation("k")
    builder.jump(k)
    builder.open(k)
    builder.ret(builder.read_variable(Variable("n", INT)))
    with pytest.raises(DiagnosticError, match="has 1 continuations and 1 variables, too many for the strategy"):
        builder.finish()


@pytest.mark.parametrize(("seconds", "repeat", "rounds"), [(0, None, 1), (1_000, None, 6), (0, 2, 3)])
def test_slow_constructions_are_not_repeated_unless_requested(
    seconds: float, repeat: int | None, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cpsconv.lab.explain.comparison.MAX_SECONDS", seconds)
    finished: list[str] = []
    finish = Builder.finish

    def counted(builder: Builder) -> Function:
        finished.append(builder.strategy)
        return finish(builder)

    monkeypatch.setattr(Builder, "finish", counted)
    rows = compare(Source("one.c", "int f(int n) { return n; }"), strategies=["scc", "basic"], repeat=repeat)
    assert finished == ["scc", "basic"] * rounds
    assert all(row.seconds for row in rows)


def test_operations_are_simplified_on_request() -> None:
    source = Source("four.c", "int f(int x) { int y = 1; if (x - x) y = 2; return y; }")
    counts = [
        [(row.continuations, row.kept) for row in compare(source, repeat=1, optimise=chosen)]
        for chosen in ([], ["fold", "arithmetic", "branches", "dead"])
    ]
    assert counts == [[(2, 1)] * len(CONSTRUCTIONS), [(0, 0)] * len(CONSTRUCTIONS)]


@pytest.fixture
def comparison(cpsconv: Run) -> Run:
    """Runs `cpsconv compare` in a folder with the program `two.c`."""
    Path("two.c").write_text(TWO)
    return partial(cpsconv, "compare")


def test_the_table_is_aligned_and_ends_with_totals(comparison: Run) -> None:
    status, out, err = comparison("--strategy", "scc,two-phase", "two.c")
    assert (status, err) == (0, "")
    assert len({len(line) for line in out.splitlines()}) == 1
    assert [line.rsplit(maxsplit=1)[0].rstrip() for line in out.splitlines()] == [
        "function  strategy   continuations  placed  removed  kept  minimal  arguments  lookups",
        "two.c:g   scc                    0       0        0     0        0          0        0",
        "          two-phase              0       0        0     0        0          0        0",
        "two.c:f   scc                    4       2        0     2        2          4       11",
        "          two-phase              4       2        0     2        2          4       12",
        "total     scc                    4       2        0     2        2          4       11",
        "          two-phase              4       2        0     2        2          4       12",
    ]
    assert "minimal" not in comparison("--no-minimal", "--strategies", "scc", "two.c").out


def test_json_has_an_object_for_each_function_and_strategy(comparison: Run) -> None:
    objects = json.loads(comparison("--json", "--repeat", "2", "two.c", FIG5).out)
    assert [set(found) for found in objects] == [KEYS | {"minimal"}] * (3 * len(CONSTRUCTIONS))
    assert [(found["file"], found["function"]) for found in objects[:: len(CONSTRUCTIONS)]] == [
        ("two.c", "g"),
        ("two.c", "f"),
        (FIG5, "f"),
    ]
    objects = json.loads(comparison("--json", "--no-minimal", "--strategies", "scc", "two.c").out)
    assert [set(found) for found in objects] == [KEYS] * 2


def test_columns_are_chosen_in_an_order(comparison: Run) -> None:
    done = comparison("--strategy", "scc", "--columns", "lookups, kept,in_memory,kept", "two.c")
    assert done == (
        0,
        "function  strategy  lookups  kept  in memory\n"
        "two.c:g   scc             0     0          -\n"
        "two.c:f   scc            11     2          -\n"
        "total     scc            11     2          -\n",
        "",
    )
    assert comparison("--columns", "ms", "two.c").out.startswith("function  strategy            ms\n")


def test_a_file_with_errors_does_not_stop_the_others(comparison: Run) -> None:
    Path("wrong.c").write_text("int f(void) { return x; }\n")
    status, out, err = comparison("--strategies", "scc", "wrong.c", "two.c", "missing.c")
    assert status == 1
    assert [line.split()[0] for line in out.splitlines()] == ["function", "two.c:g", "two.c:f", "total"]
    assert err == (
        "wrong.c:1:22: error: `x` is not declared\n"
        "    1 | int f(void) { return x; }\n"
        "      |                      ^\n"
        "error: missing.c: there is no such file\n"
    )


@pytest.mark.parametrize(("flag", "expected"), [([], ""), (["--json"], "[]\n")])
def test_without_any_correct_file_there_is_no_table(comparison: Run, flag: list[str], expected: str) -> None:
    assert comparison(*flag, "missing.c")[:2] == (1, expected)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ["--strategies", "scc,dom", "two.c"],
            "Invalid value for '--strategy': there is no strategy 'dom'; there are " + ", ".join(CONSTRUCTIONS),
        ),
        (["--repeat", "0", "two.c"], "Invalid value for '--repeat': 0 is not in the range x>=1."),
        (
            ["--columns", "kept,kepd", "two.c"],
            "Invalid value for '--columns': there is no column 'kepd'; there are continuations, placed, removed, kept, "
            "minimal, arguments, lookups, promoted, in_memory, ms. did you mean `kept`?",
        ),
        (["--columns", "kept", "--json", "two.c"], "--json and --columns exclude each other"),
        ([], "Missing argument 'FILE[:FUNCTION]...'."),
    ],
)
def test_a_wrong_command_line(comparison: Run, arguments: list[str], complaint: str) -> None:
    done = comparison(*arguments)
    assert (done.status, done.err.splitlines()[-1]) == (2, f"Error: {complaint}")
