"""The command `graph`: its pictures, formats and files."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cpsconv.cli import main

ROOT = Path(__file__).parent.parent
GCD = str(ROOT / "examples" / "gcd.c")

Run = Callable[..., tuple[int, str, str]]

needs_graphviz = pytest.mark.skipif(not shutil.which("dot"), reason="Graphviz, which draws graphs, is not installed")


@pytest.fixture
def graph(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs `cpsconv graph` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        status = main(["graph", *arguments])
        captured = capsysbinary.readouterr()
        return status, captured.out.decode("utf-8", "surrogateescape"), captured.err.decode("utf-8")

    return run


def test_dot_text_of_all_functions_on_standard_output(graph: Run) -> None:
    status, out, err = graph(GCD)
    assert (status, err) == (0, "")
    assert out.startswith("digraph ")
    assert out.count("subgraph ") == 2
    assert '"main" -> "gcd" [arrowhead="vee"' in out


def test_a_function_alone(graph: Run) -> None:
    status, out, _ = graph(f"{GCD}:gcd")
    assert status == 0
    assert "subgraph" not in out
    assert '"gcd.body" -> "gcd.while" [label=" a1 % b1, b1 "' in out


def test_an_unknown_function(graph: Run) -> None:
    assert graph(f"{GCD}:gdc") == (1, "", "error: there is no function `gdc`\nhelp: did you mean `gcd`?\n")


def test_the_suffix_determines_the_format(graph: Run) -> None:
    assert graph(f"{GCD}:gcd", "-o", "gcd.mmd") == (0, "", "")
    assert Path("gcd.mmd").read_text(encoding="utf-8").startswith("flowchart TD\n")
    assert graph(f"{GCD}:gcd", "-o", "gcd.GV") == (0, "", "")
    assert Path("gcd.GV").read_text(encoding="utf-8") == graph(f"{GCD}:gcd", "-o", "-")[1]


def test_the_option_format_overrides_the_suffix(graph: Run) -> None:
    assert graph(GCD, "--format", "dot", "-o", "gcd.txt")[0] == 0
    assert Path("gcd.txt").read_text(encoding="utf-8") == graph(GCD)[1]


def test_an_unknown_suffix_is_a_usage_error(graph: Run) -> None:
    status, out, err = graph(GCD, "-o", "gcd.jpg")
    assert (status, out) == (2, "")
    assert "gcd.jpg: unknown suffix; choose a format with --format" in err
    assert not Path("gcd.jpg").exists()


@needs_graphviz
@pytest.mark.parametrize(("format", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_pictures_are_drawn_by_graphviz(graph: Run, format: str, start: bytes) -> None:
    assert graph(GCD, "-o", f"gcd.{format}") == (0, "", "")
    assert Path(f"gcd.{format}").read_bytes().startswith(start)


@needs_graphviz
def test_a_picture_on_standard_output(graph: Run) -> None:
    status, out, _ = graph(GCD, "--format", "png")
    assert (status, out.encode("utf-8", "surrogateescape")[1:4]) == (0, b"PNG")


def test_without_graphviz_help_is_printed_and_no_file_is_written(graph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert graph(GCD, "-o", "gcd.svg") == (
        1,
        "",
        "error: SVG requires Graphviz, whose command `dot` is not installed\n"
        "help: install Graphviz (https://graphviz.org/download), or write DOT text with `--format dot`\n",
    )
    assert not Path("gcd.svg").exists()


def test_loops_dominators_and_the_tree_are_drawn_on_demand(graph: Run) -> None:
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


def test_files_and_a_folder_exclude_each_other(graph: Run) -> None:
    status, _, err = graph(GCD, "--split", "pictures", "-o", "gcd.dot")
    assert status == 2
    assert "--split and -o exclude each other" in err
