"""The page of a conversion as data and as a file; `test_page_browser` tests it in a browser."""

from __future__ import annotations

import html.parser
import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cpsconv.cli.commands import commands
from cpsconv.cli.explain import page
from cpsconv.core.construction import STRATEGIES
from cpsconv.core.source import read_source
from cpsconv.core.text import names, pretty
from cpsconv.core.text.spelling import quote_name
from cpsconv.lab.explain.comparison import compare
from cpsconv.pipeline import convert
from cpsconv.targets.ssa import ssa
from testing.effort import sample
from tests.conftest import Run

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.c"))
PAGES = sample(EXAMPLES, 6)
"""The examples whose pages are examined: with all strategies, each function has many steps of each kind."""

DEFAULTS: dict[str, Any] = {"strategy": "scc", "language": None, "minimal": True, "optimise": []}


def data_of(text: str) -> Any:
    """The data of a page, as the script reads it."""
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    data = json.loads(found)
    for conversion in data["strategies"].values():
        shared = data["programs"][conversion["program"]]
        conversion["program"] = shared["program"]
        for name, view in conversion["functions"].items():
            view.update(shared["texts"][name])
    return data


def data(path: object, **given: Any) -> Any:
    return data_of(page(str(path), **{**DEFAULTS, **given})) if given else data_by_default(path)


@cache
def data_by_default(path: object) -> Any:
    """The data of the page of a file, shared by all tests."""
    return data_of(page_of(path))


@cache
def page_of(path: object, **given: Any) -> str:
    """The page of a file, shared by all tests."""
    return page(str(path), **{**DEFAULTS, **given})


def views(path: Path) -> list[tuple[str, str, Any]]:
    """The view of each function of a file with each strategy."""
    return [
        (strategy, name, view)
        for strategy, conversion in data(path)["strategies"].items()
        for name, view in conversion["functions"].items()
    ]


def shown(steps: Sequence[Any]) -> Iterator[dict[str, list[Any]]]:
    """The lines of each pane after each step, by the edits of the steps."""
    lines: dict[str, list[Any]] = {"flow": [], "cps": [], "phi": []}
    for step in steps:
        for pane, found in lines.items():
            for at, deleted, *new in step.get(pane, []):
                assert 0 <= at <= at + deleted <= len(found)
                found[at : at + deleted] = new
        yield {pane: [*found] for pane, found in lines.items()}


def last(view: Any) -> dict[str, list[Any]]:
    """The lines of each pane after the last step."""
    return [*shown(view["steps"])][-1]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_last_step_has_the_lines_of_the_printers_with_their_owners(path: Path) -> None:
    for strategy, conversion in data(path)["strategies"].items():
        program = convert(read_source(str(path)), strategy=strategy)
        lines = {name: last(view) for name, view in conversion["functions"].items()}
        for pane, printed in (("cps", pretty(program, width=60)), ("phi", ssa(program, width=60))):
            text = [line for found in lines.values() for line, *_ in found[pane]]
            expected = [line for line in printed.splitlines() if line]
            assert text == expected[-len(text) :]  # structs and data, which precede the functions, are on no page
            assert program.items or len(text) == len(expected)
        for function in program.functions:
            named = names(function, {*conversion["functions"]})
            members = {quote_name(function.name), *(named[each] for each in function.continuations)}
            cards = conversion["functions"][function.name]["cards"]
            for pane in ("cps", "phi"):
                assert {cards[owner] for _, *owners in lines[function.name][pane] for owner in owners} == members


@pytest.mark.parametrize("path", sample(EXAMPLES, 6), ids=lambda path: path.name)
def test_the_counts_are_those_of_compare(path: Path) -> None:
    rows = compare(read_source(str(path)), strategies=[*STRATEGIES, "cytron"], repeat=1)
    expected = {(row.strategy, row.function): (row.placed, row.removed, row.kept, row.minimal) for row in rows}
    for strategy, name, view in views(path):
        counts = view["counts"]
        found = (counts["placed"], counts["removed"], counts["kept"], counts["left"])
        assert found[:3] == expected[strategy, name][:3]
        assert found[3] == len([each for each in view["why"] if each in placed(view)]) <= found[2]


def test_a_page_that_begins_with_countdown_has_it_beside_the_others(tmp_path: Path) -> None:
    path = tmp_path / "f.c"
    path.write_text(
        "int f(int n) { int x = 0; while (n--) switch (n) { case 1: case 2: x++; case 5: n--; } return x; }"
    )
    strategies = data(path, strategy="countdown")["strategies"]
    assert [*strategies] == [*STRATEGIES, "cytron", "countdown"]
    views = {name: conversion["functions"]["f"] for name, conversion in strategies.items()}
    assert last(views["countdown"])["cps"] == last(views["paper"])["cps"]
    counts = {name: view["counts"] for name, view in views.items()}
    assert counts["countdown"]["kept"] == counts["paper"]["kept"] < counts["countdown"]["placed"]


def placed(view: Any) -> set[str]:
    return {*view["parameters"]}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_cards_cps_and_phi_form_have_one_order(path: Path) -> None:
    for _, _, view in views(path):
        *_, last = shown(view["steps"])
        cps = [line.split(" :=")[0].strip() for line, *_ in last["cps"] if " := (" in line and line.endswith("→ ⊥")]
        phi = [line[:-1] for line, *_ in last["phi"] if line.endswith(":") and not line.startswith(" ")]
        assert [name for name in view["cards"] if name in phi] == phi
        assert [name for name in view["cards"] if name in cps] == cps
        boxes = [box["cards"] for box in view["loops"]]
        assert boxes == sorted(map(sorted, boxes))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_parameter_has_its_evidence(path: Path) -> None:
    for _, _, view in views(path):
        parameters = {line[2] for line in last(view)["flow"] if line[1] == "parameter"}
        assert parameters == view["why"].keys()
        for name in parameters & placed(view):
            assert view["why"][name].startswith(f"The parameter `{name.strip('`')}` of ")
            assert "is necessary (Definition 2)" in view["why"][name]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_mention_is_the_name_of_its_variable(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    for _, _, view in views(path):
        ends = 0
        for start, end, variable, values in view["mentions"]:
            assert ends <= start < end
            assert source[start:end] == view["variables"][variable]["name"]
            assert all(
                variable in view["denotes"][value] or value in view["why"] or value in view["values"]
                for value in values
            )
            ends = end


def test_a_mention_has_the_values_that_are_read_or_written_there() -> None:
    view = data(ROOT / "examples" / "gcd.c")["strategies"]["scc"]["functions"]["gcd"]
    text = (ROOT / "examples" / "gcd.c").read_text(encoding="utf-8")
    body = text[: text.index("a = b")].count("\n")
    found = [
        (text[start:end], values) for start, end, _, values in view["mentions"] if text[:start].count("\n") == body
    ]
    assert found == [("a", ["b1"]), ("b", ["b1"])]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_each_step_has_lines_of_the_listing(path: Path) -> None:
    for strategy, conversion in data(path)["strategies"].items():
        lines = [line for algorithm in conversion["listing"] for line in algorithm["lines"]]
        known = {line["name"] for line in lines}
        assert len(known) == len(lines) > 30 and any(line["ours"] for line in lines)
        for view in conversion["functions"].values():
            *steps, finished = [step["lines"] for step in view["steps"]]
            assert finished == [] and all({*names} <= known and names for names in steps)
            if strategy != "cytron":
                assert any(len(names) > 1 for names in steps) or not placed(view), "recorded definitions"


WORDS = {"open": 2, "create": 4, "enter": 2, "write": 2, "read": 4, "seal": 2, "compute": 1, "jump": 1, "branch": 1}
"""For each sentence about a request, the number of words at its beginning that do not depend on the strategy."""


def requests_of(view: Any) -> dict[int, str]:
    """The requests of a view by their numbers, in words."""
    words = [(step["request"], step["text"].split()) for step in view["steps"]]
    return {number: " ".join(text[: WORDS[text[0]]]) for number, text in words if text[0] in WORDS}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_request_of_the_front_end_has_the_same_number_in_all_strategies(path: Path) -> None:
    by_function: dict[str, list[dict[int, str]]] = {}
    for _, name, view in views(path):
        numbers = [step["request"] for step in view["steps"]]
        assert numbers.pop() is None, "the finished function is no request"
        assert numbers == sorted(numbers) and {*numbers} == {*range(numbers[-1] + 1)}
        by_function.setdefault(name, []).append(requests_of(view))
    for first, *others in by_function.values():
        assert all(other == first for other in others)


def test_the_requests_of_simplified_constructions_are_found_in_other_strategies(tmp_path: Path) -> None:
    """As printed, a loop-invariant variable is a parameter in the loop, so that its branch is not simplified."""
    path = tmp_path / "invariant.c"
    path.write_text("int f(int n) {\n  int x = 1;\n  while (n) { if (x) n = n - 1; else n = 2; }\n  return n;\n}\n")
    by_strategy = data(path, optimise=["fold", "branches"])["strategies"]
    paper, scc = (requests_of(by_strategy[strategy]["functions"]["f"]) for strategy in ("paper", "scc"))
    common = paper.keys() & scc.keys()
    assert paper.keys() != scc.keys() and len(common) > 0.6 * len(paper)
    assert {paper[number] for number in common} >= {
        "enter `exit`",
        "seal `exit`:",
        "seal `while`:",
        "read `n` in `exit`:",
    }
    assert {(paper[each], scc[each]) for each in common if paper[each] != scc[each]} == {("branch", "jump")}


def test_without_minimisation_the_evidence_shows_redundant_parameters() -> None:
    page = data(ROOT / "examples" / "fig5.c", strategy="basic", minimal=False)
    assert page["strategy"] == "basic", "the requested strategy comes first"
    view = page["strategies"]["basic"]["functions"]["f"]
    assert view["counts"]["left"] is None
    assert any("is not needed: it is always equal to `10`" in text for text in view["why"].values())


def test_in_a_long_construction_each_look_up_is_one_step_with_all_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    path = ROOT / "examples" / "fig6.c"
    full = data(path)["strategies"]["basic"]["functions"]["f"]["steps"]
    monkeypatch.setattr("cpsconv.lab.page.replay._MAX_INNER", 10)
    brief = data(path, strategy="basic")["strategies"]["basic"]["functions"]["f"]["steps"]
    assert [step["text"] for step in brief] == [step["text"] for step in full if not step["within"]]
    ends = [number for number, step in enumerate([*full[1:], {"within": False}]) if not step["within"]]
    states = [*shown(full)]
    assert [*shown(brief)] == [states[end] for end in ends]


def test_the_edits_of_many_phi_functions_with_many_operands_grow_with_the_steps(tmp_path: Path) -> None:
    sizes = []
    for count in (3, 8):
        path = tmp_path / "loop.c"
        path.write_text(_loop(count), encoding="utf-8")
        steps = data_of(page(str(path), **DEFAULTS))["strategies"]["scc"]["functions"]["f"]["steps"]
        sizes.append(sum(len(json.dumps(step.get("phi", []))) for step in steps) / len(steps))
    assert sizes[1] < 1.25 * sizes[0]


def _loop(count: int) -> str:
    """A loop that changes `count` variables in each of `count` ways, so that its header has a φ function for each."""
    names = [f"v{number}" for number in range(count)]
    declarations = "".join(f"int {name} = {at}; " for at, name in enumerate(names))
    change = "".join(f"{name} += x; " for name in names)
    ways = "".join(f"if (x == {number}) {{ {change}continue; }}\n" for number in range(count))
    return f"int f(int x) {{ {declarations}\nwhile (x-- > 0) {{\n{ways}}}\nreturn {' + '.join(names)}; }}\n"


def test_the_evidence_of_a_large_function_ends_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpsconv.lab.explain.query._MAX_EVIDENCE", 1)
    view = data(ROOT / "examples" / "gcd.c", strategy="scc")["strategies"]["scc"]["functions"]["gcd"]
    assert "is necessary" in view["why"]["b1"]
    assert view["why"]["a1"].endswith("`cpsconv why FILE:gcd a1` prints it.\n")


def test_only_the_requested_function_is_shown_but_all_can_be_run() -> None:
    conversion = data(f"{ROOT / 'examples' / 'gcd.c'}:gcd")["strategies"]["scc"]
    assert [*conversion["functions"]] == ["gcd"]
    assert [function["name"] for function in conversion["program"]["functions"]] == ["gcd", "main"]


# ------------------------------------------------------------------------------------------------------- the file

HOSTILE = """// </script><script>window.hit = 1</script> <!-- <script> 𝕊 ]]> \u2028 λ
int f(int size) {
    while (size > 0) // <img src=x onerror="window.hit = 1">
        size = size - 1;
    return size;
}
"""


class Reader(html.parser.HTMLParser):
    """Records the elements of a page, and the resources that they would load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loaded += [value or "" for name, value in attributes if name in ("src", "href")]


def test_the_source_cannot_escape_from_the_data(tmp_path: Path) -> None:
    path = tmp_path / "<img onerror=hit>.c"
    path.write_text(HOSTILE, encoding="utf-8")
    text = page(str(path), **DEFAULTS)
    reader = Reader()
    reader.feed(text)
    assert reader.tags.count("script") == 2 and "img" not in reader.tags
    assert reader.loaded == ["data:,"]
    assert data_of(text)["source"] == {"name": str(path), "text": HOSTILE}


def test_the_page_forbids_itself_the_network() -> None:
    text = page(str(ROOT / "examples" / "fig8.c"), **DEFAULTS)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy.startswith("default-src 'none'; ") and "http" not in policy and "unsafe" not in policy


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(commands, ["explain", *arguments])
    return result.exit_code, result.output


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert run("--html", str(path), str(ROOT / "examples" / "fig8.c")) == (0, "")
    status, printed = run("--html", "-", str(ROOT / "examples" / "fig8.c"))
    assert status == 0 and printed == path.read_text(encoding="utf-8")
    assert printed.startswith("<!doctype html>")


@pytest.mark.parametrize("other", [["--json"], ["-o", "x"]])
def test_html_excludes_other_output_options(other: list[str]) -> None:
    status, printed = run("--html", "page.html", *other, str(ROOT / "examples" / "fig8.c"))
    assert status == 2 and "Error: --html and " in printed


def test_a_function_that_is_too_large_for_a_page_is_an_error(cpsconv: Run) -> None:
    jumps = "".join(f"L{n}: a++; if (a > 3) goto L{n * 7 % 300}; if (a > 5) goto L{n * 3 % 300};\n" for n in range(300))
    Path("a.c").write_text(f"int f(int a) {{ {jumps} return a; }}")
    assert cpsconv("explain", "--html", "page.html", "a.c") == (
        1,
        "",
        "error: a.c: the function `f` is too large for a page\nhelp: `explain` without `--html` shows it\n",
    )
    assert not Path("page.html").exists()


def test_a_page_has_the_licence_of_the_package_that_it_contains() -> None:
    text = page_of(EXAMPLES[0])
    start = text.index("/* @dagrejs/dagre ")
    assert "Copyright" in text[start : text.index("*/", start)]
    assert text.index("var graph=") > start


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_at_the_end_of_a_look_up_each_continuation_that_it_visited_has_its_result(path: Path) -> None:
    for _, _, view in views(path):
        stack: set[str] = set()
        for step in view["steps"]:
            if not step["within"]:
                assert not stack
                start, stack = step["at"], set()
            stack = (stack | {*step["path"]}) - {*step["done"], start}
