"""The command `graph`: its pictures, formats and files."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import Run

ROOT = Path(__file__).parent.parent
GCD = str(ROOT / "examples" / "gcd.c")

needs_graphviz = pytest.mark.skipif(not shutil.which("dot"), reason="Graphviz, which draws graphs, is not installed")


@pytest.fixture
def graph(cpsconv: Run) -> Run:
    """Runs `cpsconv graph` in an empty folder."""
    return partial(cpsconv, "graph")


def test_dot_text_of_all_functions_or_of_one_on_standard_output(graph: Run) -> None:
    status, out, err = graph(GCD)
    assert (status, err) == (0, "")
    assert out.startswith("digraph ")
    assert out.count("subgraph ") == 2
    assert '"main" -> "gcd" [arrowhead="vee"' in out
    status, out, err = graph(f"{GCD}:gcd")
    assert (status, err) == (0, "")
    assert "subgraph" not in out
    assert '"gcd.body" -> "gcd.while" [label=" a1 % b1, b1 "' in out
    assert graph(f"{GCD}:gdc") == (1, "", "error: there is no function `gdc`\nhelp: did you mean `gcd`?\n")


def test_the_suffix_determines_the_format_unless_there_is_an_option(graph: Run) -> None:
    assert graph(f"{GCD}:gcd", "-o", "gcd.mmd") == (0, "", "")
    assert Path("gcd.mmd").read_text(encoding="utf-8").startswith("flowchart TD\n")
    assert graph(f"{GCD}:gcd", "-o", "gcd.GV") == (0, "", "")
    assert graph(f"{GCD}:gcd", "--format", "dot", "-o", "gcd.txt") == (0, "", "")
    for name in ("gcd.GV", "gcd.txt"):
        assert Path(name).read_text(encoding="utf-8") == graph(f"{GCD}:gcd", "-o", "-").out


def test_an_unknown_suffix_is_a_usage_error(graph: Run) -> None:
    done = graph(GCD, "-o", "gcd.jpg")
    assert (done.status, done.out, [*Path().iterdir()]) == (2, "", [])
    assert "gcd.jpg: unknown suffix; choose a format with --emit" in done.err


@needs_graphviz
@pytest.mark.parametrize(("format", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_pictures_are_drawn_by_graphviz(graph: Run, format: str, start: bytes) -> None:
    assert graph(GCD, "-o", f"gcd.{format}") == (0, "", "")
    assert Path(f"gcd.{format}").read_bytes().startswith(start)
    assert graph(GCD, "--format", format).out.encode("utf-8", "surrogateescape").startswith(start)


def test_without_graphviz_help_is_printed_and_no_file_is_written(graph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert graph(GCD, "-o", "gcd.svg") == (
        1,
        "",
        "error: SVG requires Graphviz, whose command `dot` is not installed\n"
        "help: install Graphviz (https://graphviz.org/download), or write DOT text with `--emit dot`\n",
    )
    assert not Path("gcd.svg").exists()


def test_loops_dominators_frontiers_and_the_tree_are_drawn_on_demand(graph: Run) -> None:
    plain = graph(f"{GCD}:gcd")[1]
    assert "loop at while" in graph("--loops", f"{GCD}:gcd")[1]
    assert "loop at while" not in plain
    assert graph("--dominators", f"{GCD}:gcd")[1].count(" -> ") == plain.count(" -> ") + 3
    tree = graph("--tree", f"{GCD}:gcd")[1]
    assert [line.split(" [")[0].strip() for line in tree.splitlines() if " -> " in line] == [
        '"gcd" -> "gcd.while"',
        '"gcd.while" -> "gcd.body"',
        '"gcd.while" -> "gcd.exit"',
    ]
    framed = graph("--tree", "--frontiers", f"{GCD}:gcd")[1].splitlines()
    assert [line.split(" [")[0].strip() for line in framed if "diamond" in line] == [
        '"gcd.while" -> "gcd.while"',
        '"gcd.body" -> "gcd.while"',
    ]
    assert "b1 != 0" in plain
    assert "b1 != 0" not in graph("--no-bodies", f"{GCD}:gcd")[1]


def test_the_options_of_the_construction_apply(graph: Run) -> None:
    figure = str(ROOT / "examples" / "fig5.c")
    assert "x1 : int" not in graph(figure)[1]
    assert "x1 : int" in graph("--strategy", "basic", "--no-minimal", figure)[1]


def test_cps_text_is_drawn_as_it_is(graph: Run) -> None:
    Path("f.cps").write_text("f(ret : int → ⊥) → ⊥ { let k := (a : int) → ⊥ ret(a) in k(7) }", encoding="utf-8")
    assert '"f" -> "f.k" [label=" 7 "];' in graph("f.cps")[1]


def test_each_function_gets_a_file_of_its_own(graph: Run) -> None:
    assert graph(GCD, "--split", "deep/pictures") == (0, "", "")
    assert sorted(path.name for path in Path("deep/pictures").iterdir()) == ["gcd.dot", "main.dot"]
    assert Path("deep/pictures/gcd.dot").read_text(encoding="utf-8") == graph(f"{GCD}:gcd")[1]
    assert graph(f"{GCD}:gcd", "--split", "one", "--format", "mermaid") == (0, "", "")
    assert [path.name for path in Path("one").iterdir()] == ["gcd.mermaid"]


def test_files_have_names_that_every_file_system_accepts(graph: Run) -> None:
    names = ["`../a`", "`..%a`", "F", "f"]
    Path("f.cps").write_text("".join(f"{name}(ret : () → ⊥) → ⊥ {{ ret() }}\n" for name in names), encoding="utf-8")
    assert graph("f.cps", "--split", "pictures") == (0, "", "")
    assert sorted(path.name for path in Path("pictures").iterdir()) == [".._a.dot", ".._a_.dot", "F.dot", "f_.dot"]


def test_a_folder_that_cannot_be_created(graph: Run) -> None:
    Path("taken").write_text("")
    assert graph(GCD, "--split", "taken") == (1, "", "error: taken: the folder cannot be created: File exists\n")
