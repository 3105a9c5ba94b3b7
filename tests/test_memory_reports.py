"""Reports on memory beside its errors: leaks, the origins of null pointers, and the objects shown while stepping."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from cpsconv import Source, evaluate, parse
from cpsconv.cli.commands import main
from cpsconv.cli.step import Dialogue
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.engines import EngineName
from cpsconv.engines.machine.machine import traced_run
from cpsconv.engines.machine.stepper import Stepper
from testing.effort import each_in_turn
from testing.engines import ENGINE_NAMES, ENGINES_HERE
from tests.tables import table

PROGRAMS = table("memory_reports")
"""The longer programs of these tests."""

LEAKS = PROGRAMS["LEAKS"]

CHAIN = PROGRAMS["CHAIN"]


def cli(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit status and the output of a command."""
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


# ----------------------------------------------------------------------------------------------------------- leaks


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_leaks_are_reported_by_place_of_allocation(
    engine: EngineName, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.cps").write_text(LEAKS)
    status, output, errors = cli(capsys, "eval", "p.cps", "3", "--check-leaks", "--engine", engine)
    assert (status, output) == (3, "3\n")
    assert [line for line in errors.splitlines() if "error" in line] == [
        "p.cps:7:16: runtime error: 3 objects, of 40 bytes each, are allocated here and never freed",
        "p.cps:12:16: runtime error: an object of 32 bytes is allocated here and never freed",
    ]
    *_, found = cli(capsys, "eval", "p.cps", "3", "--check-leaks", "--diagnostics", "json")
    assert [json.loads(line)["rule"] for line in found.splitlines()] == ["leak", "leak"]
    assert cli(capsys, "eval", "p.cps", "3", "--engine", "machine") == (0, "3\n", "")


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_leaks_of_different_sizes_are_added(
    engine: EngineName, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.cps"
    path.write_text(
        LEAKS.replace("malloc(40ul)", "malloc((unsigned long)(i))").replace("(unsigned long)", "unsigned long")
    )
    status, _, errors = cli(capsys, "eval", f"{path}", "3", "--check-leaks", "--engine", engine)
    assert "3 objects, of 3 bytes in all, are allocated here" in errors
    assert status == 3


@each_in_turn(
    case=[("free(p); ret(0)", 0), ("free(p); halt(7)", 7), ("halt(7)", 3), ("abort()", 134)], engine=ENGINE_NAMES[::-1]
)
def test_a_program_without_leaks_keeps_its_exit_status(
    case: tuple[str, int], engine: EngineName, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    end, status = case
    path = tmp_path / "p.cps"
    path.write_text(f"main(ret : int → ⊥) → ⊥ {{ p := malloc(1ul); char[p] := 'a'; {end} }}")
    found, _, errors = cli(capsys, "eval", f"{path}", "--check-leaks", "--engine", engine)
    assert found == status
    assert ("never freed" in errors) == (status == 3)


def test_a_result_is_printed_before_the_leaks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.cps"
    path.write_text("f(ret : int → ⊥) → ⊥ { p := malloc(1ul); char[p] := 'a'; ret(5) }")
    assert cli(capsys, "eval", f"{path}", "--check-leaks")[:2] == (3, "5\n")
    assert cli(capsys, "eval", f"{path}", "--check-leaks", "--trace")[:2] == (3, "5\n")


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_a_run_with_an_error_is_not_checked_for_leaks(
    engine: EngineName, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.cps"
    path.write_text("f(n : int, ret : int → ⊥) → ⊥ { p := malloc(1ul); char[p] := 'a'; ret(5 / n) }")
    status, _, errors = cli(capsys, "eval", f"{path}", "0", "--check-leaks", "--engine", engine)
    assert (status, "division by zero" in errors, "never freed" in errors) == (3, True, False)


# --------------------------------------------------------------------------------------------------- null pointers


GET = "null is passed for `p` of `get` here: get(q, λ(x : int). ret(x))"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("ret(int[null])", []),
        (
            "outer(null, λ(x : int). ret(x))",
            [GET, "null is passed for `q` of `outer` here: outer(null, λ(x : int). ret(x))"],
        ),
        ("outer(null, ret)", [GET]),  # the call in tail position leaves no trace
        (
            "outer(ptr[node.next(list)], ret2)",
            [
                GET,
                "null is passed for `q` of `outer` here: outer(ptr[node.next(list)], ret2)",
                "null is loaded from `list.next` here: ptr[node.next(list)]",
            ],
        ),
        ("p := malloc(3000000000ul); int[p, 2] := 1; ret(0)", ["`malloc` returns null here: malloc(3000000000ul)"]),
        ("same(null, λ(p : ptr). ret(int[p]))", ["`same` returns null here: same(null, λ(p : ptr). ret(int[p]))"]),
        ("f := ptr(same); call(f, null, get2)", ["the called function returns null here: call(f, null, get2)"]),
        ("p := ptr[list]; call(p, ret)", ["null is loaded from `list.next` here: ptr[list]"]),
        ("loop(list)", ["`p` is null from here on: loop(ptr[p])", "null is loaded here: ptr[p]"]),
        ("branch(n == 0, λ(). get2(null), λ(). get2(ptr[list]))", []),
        ("walk(list, ret)", ["`q` is null from here on: loop(ptr[q])", "null is loaded here: ptr[q]"]),
        ("branch(n == 0, λ(). get2(null), λ(). get2(list))", ["`p` is null from here on: n == 0"]),
    ],
)
def test_an_error_of_a_null_pointer_names_its_origin_if_it_is_certain(body: str, expected: list[str]) -> None:
    text = f"""{CHAIN}
main(n : int, ret : int → ⊥) → ⊥ {{
  let
    ret2 := (x : int) → ⊥ ret(x)
    get2 := (p : ptr) → ⊥ ret(int[p])
    loop := (p : ptr) → ⊥ v := int[node.value(p)]; loop(ptr[p])
    start := () → ⊥ {body}
  in start()
}}"""
    with pytest.raises(ProgramError) as raised:
        evaluate(parse(Source("p.cps", text)), "main", [0], output=io.BytesIO(), errors=io.BytesIO())
    notes = raised.value.diagnostic.notes
    assert [f"{message}: {text[span.start : span.end]}" for message, span in notes if span] == expected


UNOPENED = """\
#include <stdio.h>

int main(int argc, char **argv) {
    INPUT
    FILE *f = fopen(argv[0], "r");
    return fgetc(f);
}
"""


@each_in_turn(
    case=[
        ("", [], True),
        ("getchar();", [], False),
        ("", ["--allow-clock"], False),
        ("", ["--allow-environment"], False),
    ],
    engine=ENGINE_NAMES[::-1],
)
def test_a_null_pointer_in_the_library_has_an_origin_if_the_run_depends_on_its_arguments_only(
    case: tuple[str, list[str], bool],
    engine: EngineName,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, options, is_repeated = case
    path = tmp_path / "unopened.c"
    path.write_text(UNOPENED.replace("INPUT", before))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x")))
    status, _, errors = cli(capsys, "run", f"{path}", "--engine", engine, *options)
    assert status == 3
    assert "6:12: runtime error: a null pointer is dereferenced" in errors
    assert ("6:12: note: null is passed for `stream` of `fgetc` here" in errors) == is_repeated
    assert ("5:15: note: `fopen` returns null here" in errors) == is_repeated


@each_in_turn(
    case=[
        ("tmpfile()", "fclose", "fclose", "stream"),
        ("tmpfile()", "fclose", "fgetc", "stream"),
        ("tmpfile()", "fclose", 'freopen("a", "w", ', "stream"),
        ('fopen("a", "w")', "close", "fflush", "stream"),
        ('opendir(".")', "closedir", "closedir", "directory"),
        ('opendir(".")', "closedir", "readdir", "directory"),
    ],
    engine=ENGINE_NAMES,
)
def test_the_use_of_a_closed_stream_names_the_calls_that_opened_and_closed_it(
    case: tuple[str, str, str, str],
    engine: EngineName,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    open, close, use, kind = case
    monkeypatch.chdir(tmp_path)
    used = use if "(" in use else f"{use}("
    lines = [
        "#include <stdio.h>\n#include <dirent.h>\nstatic void close(void *f) { fclose(f); }\nint main(void) {",
        f'    void *other = fdopen(2, "w"), *f = {open};',
        f"    if (f) {close}(f);",
        f"    {used}f);",
        "    fclose(other);\n}\n",
    ]
    Path("closed.c").write_text("\n".join(lines))
    status, _, errors = cli(capsys, "run", "closed.c", "-w", "--engine", engine, "--allow-files")
    closing = 3 if close == "close" else 6
    message = f"the {kind} opened on line 5 was closed on line {closing}, before this access"
    assert status == 3
    assert f"closed.c:7:5: runtime error: {message}\n" in errors
    assert f"closed.c:{closing}:" in errors.splitlines()[3]
    assert errors.splitlines()[3].endswith("note: it was closed here")


# ---------------------------------------------------------------------------------------------------- the objects

OBJECTS = PROGRAMS["OBJECTS"]


def answers(*commands: str, source: str = OBJECTS) -> list[str]:
    """The lines of answers while stepping through a program."""
    program = parse(Source("p.cps", source))
    start = Stepper(lambda stream: traced_run(program, "main", output=stream, errors=stream))
    dialogue = Dialogue(program, program.functions[0], start)
    return [line for command in commands for line in dialogue.answer(command)]


def test_step_shows_the_objects_in_memory_by_their_types() -> None:
    assert answers("m") == [
        'greeting : char[6] = "hello"',
        'list : node = { next = &a[1], where = { x = 1, y = 2 }, name = "abc" }',
        "a : point[2] = { { x = 1, y = undef }, undef }",
        f"big : int[100] = {{ undef, undef, undef, 7, {'undef, ' * 12}… 84 more }}",
        "#6 : 12 bytes, allocated on line 12 = { undef, 5, undef }",
        "#7 : node, allocated on line 14 = { next = list, where = { x = 4, y = undef }, name = undef }",
        "b : char[80] = undef",
    ]


@pytest.mark.parametrize(
    ("steps", "object", "expected"),
    [
        (1, "a", "a : point[2] = { { x = 1, y = undef }, { x = 1, y = undef } }"),
        (1, "b", "b : its lifetime has ended on line 22"),
        (1, "m", "#6 : its lifetime has ended on line 23"),
        (0, "h", "#7 : node, allocated on line 14 = { next = list, where = { x = 4, y = undef }, name = undef }"),
        (0, "#7", "#7 : node, allocated on line 14 = { next = list, where = { x = 4, y = undef }, name = undef }"),
        (
            2,
            "h",
            "#7 : node, allocated on line 14 = { next = 0x6f6c6c6568, where = { x = 4, y = undef }, name = undef }",
        ),
        (0, "t", "main : a function, defined on line 7"),
        (0, "bif", "there is no object `bif`; did you mean `big`?"),
        (9, "a", "a : point[2] = { { x = 1, y = undef }, { x = 1, y = undef } }"),
    ],
)
def test_step_shows_one_object(steps: int, object: str, expected: str) -> None:
    *_, answer = answers(f"n {steps}", f"m {object}")
    assert answer == expected


def test_a_trace_shows_what_functions_of_the_library_copy() -> None:
    shown = [line.strip() for line in answers("n 1", "n 1") if "stores" in line]
    copied = "b[0] = 'h', b[1] = 'e', b[2] = 'l', b[3] = 'l', b[4] = 'o', b[5] = '\\0'"
    assert shown[0].startswith(f"stores {copied}, a[1].x = 1")
    assert shown[1].startswith("stores #7 + 0 bytes = 'h', #7 + 1 bytes = 'e'")


RECORDS = """\
struct point { x : int, name : char[4], next : ptr }
main(ret : int → ⊥) → ⊥ {
  p := malloc(32ul);
  int[point.x(point.at(p, 1))] := 5;
  char[point.name(p)] := 'k';
  ptr[point.next(p)] := point.at(p, 1);
  ret(0)
}
"""


def test_memory_of_malloc_is_shown_by_the_struct_whose_fields_are_accessed() -> None:
    first = "{ x = undef, name = { 'k', undef, undef, undef }, next = &#1[1] }"
    second = "{ x = 5, name = undef, next = undef }"
    assert answers("m", source=RECORDS) == [f"#1 : point[2], allocated on line 3 = {{ {first}, {second} }}"]
