"""The φ functions of the React compiler, recorded and from the compiler itself, beside our parameters."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

import pytest

from cpsconv import Source, convert
from testing.javascript import needs_node
from testing.npm import CACHE, installed
from testing.react import PACKAGES, compiled, counted_down, joins, kinds, ours, placed_by_scc
from testing.react_programs import react_function

pytest.importorskip("tree_sitter", reason="JavaScript is read with tree-sitter")

REFUSED = {
    "var": "function f(a) { var x = a; return x; }",
    "try without catch": "function f(a) { try { return a(); } finally { a(1); } }",
    "yield": "function* f(a) { yield a; }",
    "an update of a captured variable": "function f(a) { let x = 0; const g = () => x++; return [g, a]; }",
    "for (;;)": "function f(a) { for (;;) { if (a()) break; } return a; }",
    "a computed default": "function f(a, b = a + 1) { return b; }",
    "this": "function f(a) { return this === a; }",
    "a big integer": "function f(a) { return a + 1n; }",
    "throw in try": "function f(a) { try { throw a; } catch { return 1; } }",
    "many ifs": f"function f(a) {{ let x = 0;\n{'if (a) x = 1;' * 6000}\nreturn x; }}",
}
"""Functions that the compiler refuses, by their constructs."""


@pytest.fixture(scope="module")
def compiler() -> Path:
    """The folder with the compiler."""
    try:
        return installed(CACHE / "react" / "compiler", PACKAGES)
    except (OSError, subprocess.SubprocessError):
        pytest.skip("npm cannot install the React compiler")


def test_countdown_places_and_keeps_the_recorded_numbers_and_scc_no_more() -> None:
    for title, text, _, here in kinds():
        source = Source("kind.js", text)
        countdown, scc = ours(source, "countdown")[1, 1], ours(source, "scc")[1, 1]
        assert f"{len(countdown.placed)}→{len(countdown.kept)}" == here, title
        assert len(scc.placed) <= len(countdown.kept), title


def test_what_the_compiler_refuses_is_read_here() -> None:
    for title, text in REFUSED.items():
        assert convert(Source("refused.js", text), certify=title != "many ifs").functions, title


@needs_node
def test_the_compiler_constructs_what_countdown_does(compiler: Path) -> None:
    table = [*kinds()]
    generated = [react_function(Random(seed)) for seed in range(8)]
    found = compiled([*(text for _, text, _, _ in table), *generated, *REFUSED.values()], compiler)
    for (title, text, theirs, _), result in zip(table, found, strict=False):
        function = result.functions[0]
        here = ours(Source("kind.js", text), "countdown")[1, 1]
        assert f"{len(function.data['placed'])}→{len(function.data['kept'])}" == theirs, title
        assert joins(function.phis("placed")) == joins(function.ours(here.placed)), title
        if title != "captured after the last assignment":  # the compiler has no SSA form of that variable
            assert joins(function.phis("kept")) == joins(function.ours(here.kept)), title
    functions = [function for result in found for function in result.functions]
    assert len(functions) > len(table)
    for function in functions:
        placed, kept = function.positions("placed"), function.positions("kept")
        assert counted_down(function) == (placed, kept)
        assert len(placed_by_scc(function)) <= len(kept)
    for title, result in zip(REFUSED, found[-len(REFUSED) :], strict=True):
        assert result.errors and not result.functions, title
