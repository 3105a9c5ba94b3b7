"""Diagnostics as JSON and SARIF, and the table of their rules."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cpsconv.cli.diagnostics import rules, to_json, to_sarif
from cpsconv.core.source import Diagnostic, Source, Span, error, warning
from scripts.rules import PAGE, updated
from testing.engines import ENGINES_HERE
from testing.expectations import ROOT
from tests.conftest import Run

SOURCE = Source("my files/größe.c", "int x;\n\tint ñ = y;\n")
FOUND = [
    error("`y` is not declared", Span(SOURCE, 16, 17), help="did you mean `x`?", rule="undeclared"),
    warning(
        "`x`", Span(SOURCE, 4, 13), notes=[("here", Span(SOURCE, 0, 3)), ("anywhere", None)], rule="unused-variable"
    ),
    Diagnostic("runtime error", "division by zero", rule="division"),
    error("`z` is not declared", rule="undeclared"),
    warning("of a front end without rules", Span(Source("<stdin>", ""), 0, 0)),
]


def at(line: int, column: int) -> dict[str, int]:
    return {"line": line, "column": column}


def test_json_has_one_object_for_each_diagnostic() -> None:
    lines = to_json(FOUND).splitlines()
    assert [(each["rule"], each["severity"]) for each in map(json.loads, lines)] == [
        ("undeclared", "error"),
        ("unused-variable", "warning"),
        ("division", "runtime error"),
        ("undeclared", "error"),
        ("warning", "warning"),
    ]
    assert json.loads(lines[0]) == {
        "rule": "undeclared",
        "severity": "error",
        "message": "`y` is not declared",
        "file": "my files/größe.c",
        "spans": [{"start": at(2, 10), "end": at(2, 11)}],
        "notes": [],
        "help": "did you mean `x`?",
    }
    assert json.loads(lines[1])["spans"] == [{"start": at(1, 5), "end": at(2, 7)}]
    assert json.loads(lines[1])["notes"] == [
        {"message": "here", "file": "my files/größe.c", "spans": [{"start": at(1, 1), "end": at(1, 4)}]},
        {"message": "anywhere", "file": None, "spans": []},
    ]
    assert (json.loads(lines[2])["file"], json.loads(lines[2])["spans"]) == (None, [])


def test_sarif_is_one_document_with_the_rules_that_it_names() -> None:
    document = json.loads(to_sarif(FOUND))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["tool"]["driver"]["name"] == "cpsconv"
    named = run["tool"]["driver"]["rules"]
    assert [each["id"] for each in named] == ["undeclared", "unused-variable", "division", "warning"]
    assert named[0]["shortDescription"]["text"] == rules()["undeclared"]
    results = run["results"]
    assert [named[each["ruleIndex"]]["id"] for each in results] == [each["ruleId"] for each in results]
    assert [each["level"] for each in results] == ["error", "warning", "error", "error", "warning"]
    assert results[0]["message"] == {"text": "`y` is not declared\nhelp: did you mean `x`?"}
    assert results[1]["locations"] == [location("my%20files/gr%C3%B6%C3%9Fe.c", 1, 5, 2, 7)]
    assert results[1]["relatedLocations"] == [
        {"id": 0, "message": {"text": "here"}, **location("my%20files/gr%C3%B6%C3%9Fe.c", 1, 1, 1, 4)},
        {"id": 1, "message": {"text": "anywhere"}},
    ]
    assert results[2]["locations"] == []


def location(uri: str, *numbers: int) -> dict[str, Any]:
    region = dict(zip(("startLine", "startColumn", "endLine", "endColumn"), numbers, strict=True))
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("a.c", "a.c"),
        ("/tmp/a b.c", "file:///tmp/a%20b.c"),
        ("a:b#c?d%.c", "a%3Ab%23c%3Fd%25.c"),
        ("<stdin>", "stdin:"),
        ("\udce9.c", "%E9.c"),
    ],
)
def test_a_file_name_is_a_uri(name: str, uri: str) -> None:
    (result,) = json.loads(to_sarif([error("", Span(Source(name, "x"), 0, 1))]))["runs"][0]["results"]
    assert result["locations"] == [location(uri, 1, 1, 1, 2)]


def test_sarif_without_diagnostics_has_an_empty_list_of_results() -> None:
    assert json.loads(to_sarif([]))["runs"][0]["results"] == []


# ---------------------------------------------------------------------------------------------------------- rules


_DIAGNOSTIC = re.compile(r"\brule\b|\b(error|warning)\(")
"""What every module has that creates a diagnostic, or names a rule."""


def nodes() -> Iterator[tuple[Path, ast.AST]]:
    """The syntax of the modules with diagnostics, node by node."""
    for path in (ROOT / "cpsconv").rglob("*.py"):
        if _DIAGNOSTIC.search(text := path.read_text(encoding="utf-8")):
            yield from ((path, node) for node in ast.walk(ast.parse(text)))


def named_rules(node: ast.AST) -> list[str]:
    """The rules that a node names, as the argument `rule` or the attribute of a class."""
    given: list[ast.expr] = []
    if isinstance(node, ast.Call):
        given = [each.value for each in node.keywords if each.arg == "rule"]
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "rule":
        given = [node.value]
    return [str(each.value) for each in given if isinstance(each, ast.Constant) and each.value]


def creates_without_a_rule(node: ast.AST) -> bool:
    """Whether a node is a call of `error` or `warning` that names no rule."""
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(called, ast.Name) and called.id in ("error", "warning") and "rule=" not in ast.unparse(node)


def test_every_diagnostic_names_a_rule_of_the_table() -> None:
    """The table of checks names the rules of checks."""
    known = {*rules()}
    for path, node in nodes():
        assert path.parent.name == "check" or not creates_without_a_rule(node), f"{path}: {ast.unparse(node)}"
        assert known.issuperset(named_rules(node)), path


def test_every_rule_is_named_somewhere() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "cpsconv").rglob("*.py"))
    named = Counter(re.findall(r'"([a-z0-9+=-]+)"', text))
    assert {rule for rule in rules() if named[rule] < 2} == set()


def test_the_documentation_lists_the_rules() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert updated(page) == page, "run scripts/rules.py"


def test_each_rule_is_lower_case_with_hyphens_and_is_described_once() -> None:
    assert [rule for rule in rules() if not re.fullmatch("[a-z0-9+]+([-=][a-z0-9]+)*", rule)] == []
    assert not [text for text in rules().values() if text[0].isupper() or text.endswith(".")]


# --------------------------------------------------------------------------------------------------- command line

WRONG = "int f(int count) { return cuont; }"
DIVISION = "int main(void) { int x = 0; return 1 / x; }"
UNCERTAIN = "int f(int x) { int y; if (x) y = 1; return y; }"


def results(sarif: str) -> list[tuple[str, str]]:
    """The rules and files of a SARIF document."""
    places = [(each["ruleId"], each["locations"]) for each in json.loads(sarif)["runs"][0]["results"]]
    return [(rule, place[0]["physicalLocation"]["artifactLocation"]["uri"]) for rule, place in places]


@pytest.mark.parametrize(
    ("command", "text", "status", "rule"),
    [
        ("check f.c", WRONG, 1, "undeclared"),
        ("compare f.c", WRONG, 1, "undeclared"),
        ("convert f.c", WRONG, 1, "undeclared"),
        ("convert f.c", UNCERTAIN, 0, "maybe-uninitialized"),
        ("explain f.c", WRONG, 1, "undeclared"),
        ("graph f.c", WRONG, 1, "undeclared"),
        ("why f.c x", WRONG, 1, "undeclared"),
        ("why f.c:f z", UNCERTAIN, 1, "query"),
        ("step f.c", WRONG, 1, "undeclared"),
        ("run f.c", WRONG, 1, "undeclared"),
        ("run f.c", DIVISION, 3, "division"),
        ("run f.c --max-steps 0", "int f(void) { return 1; }", 3, "limit"),
        ("run f.c --entry g", DIVISION, 1, "unknown-function"),
        ("run f.c one", "int f(int x) { return x; }", 1, "argument"),
        ("eval f.c", WRONG, 1, "language"),
        ("fmt f.c", WRONG, 1, "language"),
        ("convert missing.c", "", 1, "file"),
        ("convert f.c --emit nonsense", "", 2, "command-line"),
        ("convert f.c --nonsense", "", 2, "command-line"),
    ],
)
def test_every_command_writes_diagnostics_as_json(
    cpsconv: Run, command: str, text: str, status: int, rule: str
) -> None:
    Path("f.c").write_text(text)
    got, _, errors = cpsconv(*command.split(), "--diagnostics=json")
    found = [json.loads(line)["rule"] for line in errors.splitlines()]
    assert (got, [*dict.fromkeys(found)]) == (status, [rule])


ENDS = """
define void @trap() {
  call void @llvm.trap()
  unreachable
}
define void @undefined() {
  call void @gone()
  ret void
}
define void @panics() {
  call void @_ZN4core9panicking5panic17h0123456789abcdefE()
  unreachable
}
define void @unreached() {
  unreachable
}
define void @foreign() {
  call void asm sideeffect "int3", ""()
  ret void
}
define void @called() {
  call void @trap()
  ret void
}
declare void @llvm.trap()
declare void @gone()
declare void @_ZN4core9panicking5panic17h0123456789abcdefE() noreturn
"""
COMPUTED_GOTO = """
int main(void) {
    void *to = &&label + 5;
    goto *to;
label:
    return 0;
}
"""


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_an_error_that_the_program_prints_before_it_aborts_is_data_too(cpsconv: Run, engine: str) -> None:
    pytest.importorskip("llvmlite", reason="LLVM IR is read with llvmlite")
    Path("ends.ll").write_text(ENDS)
    Path("goto.c").write_text(COMPUTED_GOTO)
    for program in ("goto.c", *(f"ends.ll:{name}" for name in re.findall(r"define void @(\w+)", ENDS))):
        run = ("run", "--engine", engine, program)
        aborted, output, line = cpsconv(*run)
        status, same_output, data = cpsconv(*run, "--diagnostics=json")
        found = json.loads(data)
        start = found["spans"][0]["start"]
        assert line == f"{found['file']}:{start['line']}:{start['column']}: runtime error: {found['message']}\n"
        assert (aborted, status, same_output, found["rule"]) == (134, 134, output, "abort")
        assert [each["message"] for each in found["notes"]] == ["called from here, in `called`"] * program.endswith(
            "called"
        )
        assert results(cpsconv(*run, "--diagnostics=sarif")[2]) == [("abort", found["file"])]
    Path("false.c").write_text("#include <assert.h>\nint main(void) { assert(0 > 1); }")
    status, _, data = cpsconv("run", "--engine", engine, "false.c", "--diagnostics=json")
    assert (status, json.loads(data)["message"]) == (134, "false.c:2: main: Assertion `0 > 1' failed.")
    own = 'own(ret : () → ⊥) → ⊥ { eprint("runtime error: a text without a location\\n"); abort() }'
    Path("ends.cps").write_text(cpsconv("convert", "ends.ll")[1] + own)
    trapped = "ends.ll:3:3: runtime error: the program ends itself by `llvm.trap`"
    for name, message in ("trap", trapped), ("own", "a text without a location"):
        status, _, data = cpsconv("eval", "--engine", engine, f"ends.cps:{name}", "--diagnostics=json")
        assert (status, json.loads(data)["message"]) == (134, message)


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_several_files_have_one_sarif_document(cpsconv: Run, jobs: str) -> None:
    for name, text in {"a.c": WRONG, "b.c": UNCERTAIN, "c.c": "int f(void) { return 1; }"}.items():
        Path(name).write_text(text)
    status, output, errors = cpsconv("check", "-j", jobs, "--diagnostics", "sarif", "a.c", "b.c", "c.c", "a.c")
    assert (status, "c.c: ok" in output) == (1, True)
    assert results(errors) == [("undeclared", "a.c"), ("maybe-uninitialized", "b.c"), ("undeclared", "a.c")]
    assert results(cpsconv("check", "--diagnostics", "sarif", "c.c")[2]) == []


def test_quiet_removes_warnings_from_all_formats(cpsconv: Run) -> None:
    Path("f.c").write_text(UNCERTAIN)
    assert cpsconv("check", "-q", "--diagnostics", "json", "f.c")[2] == ""
    assert results(cpsconv("check", "-q", "--diagnostics", "sarif", "f.c")[2]) == []


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_diagnostics_without_a_span_name_their_file(cpsconv: Run, jobs: str) -> None:
    Path("a.c").write_text("int f(void) { return 1; } int g(void) { return 2; }")
    files = ["missing.c", "a.c"]
    errors = cpsconv("explain", "--diagnostics=json", "-j", jobs, "missing.c", "a.c:h")[2]
    assert [json.loads(line)["file"] for line in errors.splitlines()] == files
    assert results(cpsconv("explain", "--diagnostics=sarif", "-j", jobs, "missing.c", "a.c:h")[2]) == [
        *zip(["file", "unknown-function"], files, strict=True)
    ]
    (found,) = map(json.loads, cpsconv("convert", "--diagnostics=json", "a.c", "--emit", "none")[2].splitlines())
    assert (found["rule"], found["file"]) == ("command-line", None)


def test_a_format_of_diagnostics_concerns_one_command_line(cpsconv: Run) -> None:
    Path("f.c").write_text(WRONG)
    assert cpsconv("check", "f.c", "--diagnostics", "json")[2].startswith('{"rule"')
    assert cpsconv("check", "f.c")[2].startswith("f.c:1:27: error: ")
