"""The notes of a runtime error on pending calls and on the end of a lifetime: alike under each engine."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from cpsconv import Source, convert, parse
from cpsconv.cli.commands import main
from cpsconv.core.entry import Data
from cpsconv.core.ir import Program
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.engines import EngineName, engine_for, prepare
from testing.engines import ENGINE_NAMES, ENGINES_HERE, alike
from tests.tables import scenarios

each_engine = pytest.mark.parametrize("engine", ENGINES_HERE)


def failure(program: Program, engine: EngineName, *arguments: Data) -> ProgramError:
    """The error of a run from the last function on."""
    stream = io.BytesIO()
    with pytest.raises(ProgramError) as raised:
        prepare(program, program.functions[-1], engine_for(program, engine))(arguments, output=stream, errors=stream)
    return raised.value


def notes(text: str, engine: EngineName, *arguments: Data) -> list[str]:
    """The notes of the error of a C program, with the text that each marks."""
    fault = failure(convert(Source("p.c", text)), engine, *arguments)
    return [
        f"{message}: {text[span.written.start : span.written.end]}" if span else message
        for message, span in fault.diagnostic.notes
    ]


CHAINS = scenarios("call_chains")

ALONE = [name for name, (text, _) in CHAINS.items() if re.search("argc|jmp", text)]
"""The programs with a command line or jumps, which run alone."""


@pytest.mark.parametrize("name", CHAINS)
def test_an_error_names_the_pending_calls_and_the_end_of_the_lifetime(name: str) -> None:
    text, expected = CHAINS[name]
    for engine in ENGINE_NAMES if name in ALONE else ["machine"]:
        assert notes(text, engine) == expected.splitlines()


def test_all_engines_name_them_alike() -> None:
    alike([convert(Source("p.c", text)) for name, (text, _) in CHAINS.items() if name not in ALONE])


@each_engine
def test_the_innermost_calls_and_the_first_one_are_shown(engine: EngineName) -> None:
    text = "int f(int n) { return n ? 1 + f(n - 1) : 1 / n; } int main(void) { return f(20000); }"
    inner = ["called from here, in `f`: f(n - 1)"] * 10
    assert notes(text, engine) == [*inner, "19990 further calls pending", "called from here, in `main`: f(20000)"]


@each_engine
def test_calls_in_tail_position_are_not_pending(engine: EngineName) -> None:
    program = parse(
        Source(
            "p.cps",
            "f(n : int, ret : int → ⊥) → ⊥ { ret(1 / n) }\ng(n : int, ret : int → ⊥) → ⊥ { f(n, ret) }\n"
            "main(ret : int → ⊥) → ⊥ { g(0, λ(x : int). ret(x)) }",
        )
    )
    [(message, _)] = failure(program, engine).diagnostic.notes
    assert message == "called from here, in `main`"


@each_engine
def test_an_exceeded_limit_has_no_calls(engine: EngineName, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.c"
    path.write_text("int f(int n) { return 1 + f(n + 1); } int main(void) { return f(0); }")
    assert main(["run", "-q", "--engine", engine, "--max-depth", "100", str(path)]) == 3
    assert "called from" not in capsys.readouterr().err


@each_engine
def test_calls_and_objects_of_other_files_are_named_with_their_file(
    engine: EngineName, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(
        'int last(int *p, int n);\n# 40 "m.c"\nint main(void) {\n  int a[2] = {1, 2};\n  return last(a, 3);\n}\n'
    )
    Path("b.c").write_text("int last(int *p, int n) {\n  return p[n - 1];\n}\n")
    assert main(["run", "--engine", engine, "a.c", "b.c"]) == 3
    assert capsys.readouterr().err == (
        "b.c:2:10: runtime error: index 2 of `a` (2 elements of int, declared on line 41 of `m.c`) is out of bounds\n"
        "    2 |   return p[n - 1];\n"
        "      |          ^^^^^^^^\n"
        "m.c:42:10: note: called from here, in `main`\n"
        "   42 |   return last(a, 3);\n"
        "      |          ^^^^^^^^^^\n"
    )
    assert main(["run", "--engine", engine, "--diagnostics", "json", "a.c", "b.c"]) == 3
    [note] = json.loads(capsys.readouterr().err)["notes"]
    assert note == {
        "message": "called from here, in `main`",
        "file": "m.c",
        "spans": [{"start": {"line": 42, "column": 10}, "end": {"line": 42, "column": 20}}],
    }
