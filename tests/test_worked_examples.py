"""The worked examples, written against public names in short files: a front end, a placement strategy, an emitter."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from cpsconv import DiagnosticError, Source, convert, evaluate, parse, pretty
from cpsconv.core.operations.completeness import IncompleteTable, for_every_operation
from cpsconv.core.operations.table import OPERATIONS
from cpsconv.core.source import read_source
from cpsconv.languages import LANGUAGES, Language
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.targets.unsupported import memory_uses
from testing.effort import sample

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "examples").rglob("*.py"))


def run(example: str, *arguments: str) -> tuple[int, str, str]:
    """A command line of an example: its exit status, and both outputs."""
    command = [sys.executable, f"examples/{example}", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Converts a program in the language of the example front end, and prints it."""
    monkeypatch.syspath_prepend(ROOT / "examples" / "frontend")
    monkeypatch.setitem(LANGUAGES, "tiny", Language((".tiny",), "tiny"))
    return lambda text, **options: pretty(convert(Source("f.tiny", text), **options))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_an_example_is_short_and_uses_public_names_only(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") < 100
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "cpsconv":
            assert not [alias.name for alias in node.names if alias.name.startswith("_")]
        elif isinstance(node, ast.Attribute):
            assert not node.attr.startswith("_") or node.attr.endswith("__")


def test_the_language_has_every_command() -> None:
    program = "examples/frontend/gcd.tiny"
    assert run("frontend", "check", program) == (0, f"{program}: ok, certified: 11 continuations, 4 parameters\n", "")
    assert run("frontend", "run", program, "--entry", "gcd", "48", "36") == (0, "12\n", "")


@pytest.mark.parametrize(
    ("entry", "arguments", "value"), [("gcd", (48, 36), 12), ("prime", (91,), 0), ("prime", (97,), 1)]
)
def test_the_language_means_what_it_says(tiny: Callable[..., str], entry: str, arguments: Any, value: int) -> None:
    text = tiny((ROOT / "examples/frontend/gcd.tiny").read_text(encoding="utf-8"))
    assert "while := (b1 : int, a1 : int) → ⊥" in text
    assert evaluate(parse(Source("f.cps", text)), entry, arguments, output=BytesIO(), errors=BytesIO()).value == value


def test_dead_code_in_the_language_leaves_nothing(tiny: Callable[..., str]) -> None:
    dead = "n = 1; if (n > 0) { n = f(n); } else { return 3; } while (n < 9) { n = n + 1; break; n = 5; } return n;"
    text = "f(n : int, ret : int → ⊥) → ⊥ {\n  ret(n)\n}\n"
    assert tiny(f"fun f(n) {{ return n; {dead} }}") == text
    both = f"fun f(n) {{ if (n == n) {{ return n; }} else {{ return n; }} {dead} }}"
    assert tiny(both, optimise=OPTIMISATIONS) == text


@pytest.mark.parametrize(
    ("source", "location", "message"),
    [
        ("fun f(n) {\n  m = n +;\n", "2:10", "syntax error"),
        ("fun f(n) {\n  return n;\n", "3:1", "syntax error"),
        ("fun f(n) {\n  return g(n);\n}", "2:10", "no function `g` has these parameters"),
        ("fun f(n) {\n  return f(n, n);\n}", "2:10", "no function `f` has these parameters"),
        ("fun f(n) {\n  break;\n}", "2:3", "`break` outside of a loop"),
        ("fun f(n) {\n  return m;\n}", "2:10", "`m` is not assigned before this use"),
        ("fun f(n) {}\nfun f(n) {}", "2:5", "function `f` is defined twice"),
    ],
)
def test_errors_in_the_language_are_diagnosed(
    tiny: Callable[..., str], source: str, location: str, message: str
) -> None:
    with pytest.raises(DiagnosticError) as raised:
        tiny(source)
    assert str(raised.value).startswith(f"f.tiny:{location}: error: {message}\n")


def test_the_strategy_places_more_and_means_the_same() -> None:
    eager = ("--strategy", "eager", "examples/gcd.c")
    status, text, _ = run("extend/strategy.py", "convert", "--no-minimal", *eager)
    assert status == 0 and "while := (b1 : int, a1 : int, t : int) → ⊥" in text
    scc = convert(Source("examples/gcd.c", (ROOT / "examples/gcd.c").read_text(encoding="utf-8")))
    assert run("extend/strategy.py", "convert", "--certify", *eager) == (0, pretty(scc), "")


def test_the_command_line_offers_the_target_of_the_emitter() -> None:
    status, text, errors = run("extend/emitter.py", "convert", "--emit", "three-address", "examples/gcd.c")
    assert (status, errors) == (0, "")
    assert text.split("\n\n")[0].splitlines() == [
        "gcd(a, b, ret):",
        "    goto while(b, a)",
        "while(b.2, a.2):",
        "    t = ne.bool b.2, 0",
        "    if t goto body()",
        "    goto exit()",
        "body():",
        "    t.2 = rem.int a.2, b.2",
        "    goto while(t.2, b.2)",
        "exit():",
        "    goto ret(a.2)",
    ]


def test_the_emitter_writes_programs_without_memory() -> None:
    for path in sample(sorted(Path("examples").glob("*.c")), 15):
        status, _, errors = run("extend/emitter.py", "convert", "--emit", "three-address", str(path))
        has_memory = any(memory_uses(convert(read_source(str(path)))))
        assert (status, "have no memory" in errors) == (has_memory, has_memory)


def test_a_table_without_an_operation_is_an_error() -> None:
    with pytest.raises(IncompleteTable, match="three-address: missing operation `!=`, `!`, `%`, `&`"):
        for_every_operation("three-address", {"+": "add"})
    without = {
        op: op for op, row in OPERATIONS.items() if not (row.is_on_memory or row.form == "foreign" or row.expansion)
    }
    with pytest.raises(IncompleteTable, match="three-address: missing operation `!=`, `abs`, `~`"):
        for_every_operation("three-address", without)
    assert for_every_operation("three-address", without, expanded=True) == without
