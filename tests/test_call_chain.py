"""The notes of a runtime error on pending calls and on the end of a lifetime: alike under each engine."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from cpsconv import Source, convert, parse
from cpsconv.cli.commands import main
from cpsconv.core.entry import Data
from cpsconv.core.ir import Program
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.engines import EngineName, engine_for, prepare
from testing.engines import ENGINES_HERE

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


CHAINS = {
    "the innermost call is first": (
        "int get(int *p, int i) { return p[i]; } int twice(int *p) { return get(p, 1) + get(p, 3); }"
        "int main(void) { int a[2] = {1, 2}; return twice(a); }",
        ["called from here, in `twice`: get(p, 3)", "called from here, in `main`: twice(a)"],
    ),
    "a call at the end of a function is pending": (
        "int f(int n) { return 1 / n; } void g(int n) { f(n); } int main(void) { g(0); return 0; }",
        ["called from here, in `g`: f(n)", "called from here, in `main`: g(0)"],
    ),
    "a call through a pointer": (
        "int f(int n) { return 1 / n; } int main(void) { int (*p)(int) = f; return p(0); }",
        ["called from here, in `main`: p(0)"],
    ),
    "calls in conditions and arguments": (
        "int f(int n) { return 6 / n; } int main(void) { int n = 3; while (f(n) != f(f(n))) n -= 3; return n; }",
        ["called from here, in `main`: f(n)"],
    ),
    "calls of alternatives": (
        "int f(int n) { return 6 / n; } int main(void) { int n = 0; return n ? f(n + 1) : f(n); }",
        ["called from here, in `main`: f(n)"],
    ),
    "the library calls a function of the program": (
        "#include <stdlib.h>\nint by(const void *a, const void *b) { return *(int *)a / (*(int *)b - 1); }"
        "int main(void) { int a[2] = {2, 1}; qsort(a, 2, sizeof *a, by); return 0; }",
        ["called from here, in `main`: qsort(a, 2, sizeof *a, by)"],
    ),
    "an error in the library is at its call": (
        "#include <string.h>\nint f(char *s) { strcpy(s, \"abcdef\"); return 0; }"
        "int main(void) { char s[3]; return f(s); }",
        ["called from here, in `main`: f(s)"],
    ),
    "an undefined value": (
        "int f(int *p) { return *p; } int main(void) { int n, *p = &n; return f(p); }",
        ["called from here, in `main`: f(p)"],
    ),
    "after a jump": (
        "#include <setjmp.h>\njmp_buf b; void leave(void) { longjmp(b, 1); } int f(int n) { return 1 / n; }"
        "int main(void) { if (setjmp(b) == 0) leave(); return f(0); }",
        ["called from here, in `main`: f(0)"],
    ),
    "a note on the origin of a null pointer marks the call": (
        "int f(int *p) { return *p; } int g(void) { return f(0); } int main(void) { return g(); }",
        ["null is passed for `p` of `f` here: f(0)", "called from here, in `main`: g()"],
    ),
    "a function that returns the result of a call of itself": (
        "int f(int n) { if (n) return f(n - 1); return 1 / n; } int main(void) { return f(5); }",
        ["called from here, in `main`: f(5)"],
    ),
    "a `main` that calls itself keeps its name": (
        "int main(int argc, char **argv) { return argc > 1 ? 1 / (argc - 2) : 1 + main(argc + 1, argv); }",
        ["called from here, in `main`: main(argc + 1, argv)"],
    ),
    "a `main` after which functions are called keeps its name": (
        "#include <stdlib.h>\nvoid end(void) {} int f(int n) { return 1 / n; }"
        "int main(void) { atexit(end); return f(0); }",
        ["called from here, in `main`: f(0)"],
    ),
    "an access after `free`": (
        "#include <stdlib.h>\nvoid end(int *p) { free(p); } int main(void) { int *p = malloc(4); end(p); return *p; }",
        ["it was freed here: free(p)"],
    ),
    "a second `free`": (
        "#include <stdlib.h>\nvoid end(int *p) { free(p); } int main(void) { int *p = malloc(4); end(p); end(p); }",
        ["it was freed here: free(p)", "called from here, in `main`: end(p)"],
    ),
    "an access after `realloc`": (
        "#include <stdlib.h>\nint main(void) { int *p = calloc(1, 4); int *q = realloc(p, 8); return *p + *q; }",
        ["it was freed here: realloc(p, 8)"],
    ),
    "an access in the library": (
        "#include <stdlib.h>\n#include <string.h>\nint main(void) { char *p = malloc(4); free(p); return strlen(p); }",
        ["it was freed here: free(p)"],
    ),
    "the address of a local variable is returned": (
        "int *f(void) { int n = 1, *p = &n; return p; } int main(void) { return *f(); }",
        ["its lifetime ended here: return p;"],
    ),
    "a variable of a block": (
        "int main(void) { int *p; { int n = 1; p = &n; } return *p; }",
        ["its lifetime ended here: }"],
    ),
}  # fmt: skip
"""Programs that end with a runtime error, with the notes of the error, by what they show."""


@each_engine
@pytest.mark.parametrize("name", CHAINS)
def test_an_error_names_the_pending_calls_and_the_end_of_the_lifetime(name: str, engine: EngineName) -> None:
    text, expected = CHAINS[name]
    assert notes(text, engine) == expected


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
        "int last(int *p, int n);\nint main(void) {\n  int a[2] = {1, 2};\n  return last(a, 3);\n}\n"
    )
    Path("b.c").write_text("int last(int *p, int n) {\n  return p[n - 1];\n}\n")
    assert main(["run", "--engine", engine, "a.c", "b.c"]) == 3
    assert capsys.readouterr().err == (
        "b.c:2:10: runtime error: index 2 of `a` (2 elements of int, declared on line 3 of `a.c`) is out of bounds\n"
        "    2 |   return p[n - 1];\n"
        "      |          ^^^^^^^^\n"
        "a.c:4:10: note: called from here, in `main`\n"
        "    4 |   return last(a, 3);\n"
        "      |          ^^^^^^^^^^\n"
    )
    assert main(["run", "--engine", engine, "--diagnostics", "json", "a.c", "b.c"]) == 3
    [note] = json.loads(capsys.readouterr().err)["notes"]
    assert note == {
        "message": "called from here, in `main`",
        "file": "a.c",
        "spans": [{"start": {"line": 4, "column": 10}, "end": {"line": 4, "column": 20}}],
    }
