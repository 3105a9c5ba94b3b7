"""Warnings about C: usual mistakes, as in gcc; the options that choose groups; good programs without warnings."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from cpsconv import Diagnostic, DiagnosticError, Source, convert
from cpsconv.languages.warning_groups import GROUPS, Warnings, is_foreign
from testing import gcc
from testing.effort import sample
from testing.expectations import CORPUS, EXAMPLES
from tests.conftest import Run
from tests.tables import cases

ROOT = Path(__file__).parent.parent


def shown(found: Iterable[Diagnostic]) -> str:
    """The lines and groups of diagnostics, each once."""
    lines = {(each.span.line, each.rule) for each in found if each.span}
    return " ".join(f"{line}:{rule}" for line, rule in sorted(lines))


def warnings_of(text: str, *warn: str) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    convert(Source("program.c", text), warnings=found, warn=warn)
    return found


def judged_by_gcc(path: Path) -> dict[str, str]:
    """The warnings of gcc for the file and those that it includes, by their stems."""
    assert gcc.GCC
    options = ["-std=c17", "-Wall", "-Wextra", "-O2", "-ftrack-macro-expansion=0", "-S"]
    done = subprocess.run([gcc.GCC, *options, str(path), "-o", "/dev/null"], capture_output=True, text=True)
    found: dict[str, set[tuple[int, str]]] = {}
    for stem, line, group in re.findall(r"(\w+)\.c:(\d+):\d+: .*\[-W([a-z-]+)=?\d?\]", done.stderr):
        found.setdefault(stem, set()).add((int(line), group))
    return {stem: " ".join(f"{line}:{group}" for line, group in sorted(each)) for stem, each in found.items()}


MISTAKES = [
    (text, *(words.replace("none", "") for words in (expected, by_gcc or expected)))
    for title, programs in cases("c_mistakes")
    for expected, _, by_gcc in [title.partition(", gcc: ")]
    for text in programs.strip().split("\n\n")
]
"""Programs with their warnings here and in gcc."""


def test_a_mistake_gives_the_warnings_of_its_groups() -> None:
    found = {text: shown(warnings_of(text, "all", "extra")) for text, _, _ in MISTAKES}
    assert found == {text: expected for text, expected, _ in MISTAKES}


@gcc.needs_gcc
def test_gcc_reports_the_same_mistakes(tmp_path: Path) -> None:
    """In a file that includes all programs under other names, or in the program alone. By default each fourth."""
    mistakes = sample(MISTAKES, 4)
    together = sorted({line for text, _, _ in mistakes for line in text.split("\n") if line.startswith("#include")})
    for number, (text, _, _) in enumerate(mistakes):
        (tmp_path / f"p{number}.c").write_text(f"{text}\n")
        if "main(" not in text:
            names = sorted({*re.findall(r"\b(?!do|if)[A-Za-z]\w?\b", text)})
            together += [f"#define {name} {name}_{number}" for name in names]
            together += [f'#include "p{number}.c"', *(f"#undef {name}" for name in names)]
    (tmp_path / "all.c").write_text("\n".join(together))
    found = judged_by_gcc(tmp_path / "all.c")
    for number, (text, _, expected) in enumerate(mistakes):
        stem = f"p{number}"
        if found.get(stem, "") != expected:
            assert judged_by_gcc(tmp_path / f"{stem}.c").get(stem, "") == expected, text


STRICTER = {"unreachable-code", "uninitialized", "maybe-uninitialized", "literal-conversion", "format-security"}
"""The groups that gcc does not have, or reports in the optimised program only."""

DISPUTED = {
    "switch_cases_in_nested_blocks": {(14, "implicit-fallthrough")},
    "missing_arguments": {(line, "deprecated-non-prototype") for line in (12, 13)},
    "doubtful_literals": {(11, "overflow"), (12, "overflow"), (15, "unknown-escape")},
    "effects_of_type_names": {
        *((line, "unused-value") for line in (48, 50)),
        *((line, "unused-variable") for line in (44, 46, 52, 53, 55)),
    },
}
"""Warnings that gcc reports at other lines, without a group, or not at all; of types with effects, uses for gcc."""


@gcc.needs_gcc
def test_there_are_no_warnings_where_gcc_is_silent() -> None:
    wrong = {}
    for path in sample(EXAMPLES + CORPUS, 4):
        found = [each for each in warnings_of(path.read_text(), "all", "extra") if each.rule not in STRICTER]
        extra = {*shown(found).split()} - {f"{line}:{rule}" for line, rule in DISPUTED.get(path.stem, ())}
        if extra and (more := extra - {*judged_by_gcc(path).get(path.stem, "").split()}):
            wrong[path.stem] = more
    assert wrong == {}


# ----------------------------------------------------------------------------------------------------- one by one


def test_a_warning_shows_its_group_its_cure_and_further_places() -> None:
    [found] = warnings_of("int f(int a) {\n  if (a)\n    if (a > 1) return 1;\n  else return 2;\n  return 3;\n}\n")
    expected = """\
program.c:2:3: warning: this `else` may be read as one of the outer `if` [-Wdangling-else]
    2 |   if (a)
      |   ^^
program.c:4:3: note: the `else`
    4 |   else return 2;
      |   ^^^^
program.c:3:5: note: it belongs to this `if`
    3 |     if (a > 1) return 1;
      |     ^^
help: put the body of the outer `if` in braces"""
    assert found.render() == expected


def test_an_error_has_no_warnings_that_follow_from_it() -> None:
    text = "int f(int a, int b) { int sum = a + bb; brek; if (a = 1) return 2; return 1; }"
    with pytest.raises(DiagnosticError) as caught:
        warnings_of(text, "all", "extra")
    assert shown(caught.value.diagnostics) == "1:parentheses 1:undeclared"


def test_unreachable_code_has_one_warning() -> None:
    text = "int f(int a) {\n  return a;\n  { a = 1;\n    a = 2; }\n  a = 3;\n  a = 4;\n}\n"
    assert shown(warnings_of(text)) == "3:unreachable-code"


def test_an_error_in_a_function_keeps_the_warnings_found_while_reading() -> None:
    with pytest.raises(DiagnosticError) as caught:
        warnings_of("int f(void) { return 'ab'; }\nint g(void) { return x; }")
    assert shown(caught.value.diagnostics) == "1:multichar 2:undeclared"


# --------------------------------------------------------------------------------------------------------- options

ALL = "int f(int a) { int b = 1; if (a = 2) return 1; return 3; }"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], "1:parentheses"),
        (["all"], "1:parentheses 1:unused-variable"),
        (["all", "no-unused"], "1:parentheses"),
        (["no-unused-variable", "all"], "1:parentheses"),
        (["no-all", "unused-variable"], "1:unused-variable"),
        (["everything", "no-unused-variable"], "1:parentheses"),
        (["unused", "no-parentheses"], "1:unused-variable"),
        (["all", "no-error"], "1:parentheses 1:unused-variable"),
        (["error", "no-error=parentheses"], "1:parentheses"),
        (["implicit-fallthrough=3"], "1:parentheses"),
    ],
)
def test_options_choose_groups(options: list[str], expected: str) -> None:
    assert shown(warnings_of(ALL, *options)) == expected


@pytest.mark.parametrize(
    ("options", "errors"),
    [
        (["error"], "1:parentheses"),
        (["error", "all"], "1:parentheses 1:unused-variable"),
        (["error=unused-variable"], "1:unused-variable"),
        (["all", "error", "no-error=unused"], "1:parentheses"),
    ],
)
def test_a_warning_can_be_an_error(options: list[str], errors: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        warnings_of(ALL, *options)
    assert shown(each for each in caught.value.diagnostics if each.severity == "error") == errors
    assert "[-Werror=" in str(caught.value)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("unusd-variable", "there is no group of warnings 'unusd-variable'; did you mean `unused-variable`?"),
        ("no-xyz", "there is no group of warnings 'xyz'"),
        ("error=", "there is no group of warnings 'error='"),
        ("error=al", "there is no group of warnings 'al'; did you mean `all`?"),
    ],
)
def test_an_unknown_group_is_refused(option: str, message: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        Warnings([option])


@pytest.mark.parametrize(
    "option",
    [
        *("cast-align", "no-unused-result", "error=format-nonliteral", "no-error=shadow", "frame-larger-than=100"),
        *(
            "c++-compat",
            "alloca-larger-than=2",
            "conditional-uninitialized",
            "l,-z,relro",
            "p,-D_FORTIFY_SOURCE=2",
            "a,-g",
        ),
    ],
)
def test_warnings_that_only_other_compilers_have_are_ignored_with_a_note(cpsconv: Run, option: str) -> None:
    Path("f.c").write_text("int f(void) { return 0; }\n")
    assert cpsconv("convert", f"-W{option}", "-Wall", "f.c").err == f"note: without effect here: -W{option}\n"
    assert cpsconv("convert", f"-W{option}", "-q", "f.c").err == ""


def test_no_group_of_ours_is_foreign() -> None:
    assert not any(is_foreign(name) for name in [*GROUPS, "all", "extra", "error", "no-unused", "xyz", ""])


def test_the_command_line_has_the_same_options(tmp_path: Path, cpsconv) -> None:
    path = tmp_path / "f.c"
    path.write_text(ALL)
    done = cpsconv("check", "-Wall", str(path))
    assert (done.status, done.out) == (0, f"{path}: 2 warnings, certified: 2 continuations, 0 parameters\n")
    assert cpsconv("check", "-Wno-parentheses", str(path)).out.startswith(f"{path}: ok")
    assert cpsconv("check", "-Wall", "-w", "-Werror", str(path)).out.startswith(f"{path}: ok")
    assert cpsconv("convert", "-Werror", str(path)).status == 1
    assert "did you mean `unused`?" in cpsconv("run", "-Wunusd", str(path)).err


def test_the_table_in_the_documentation_is_that_of_the_code() -> None:
    rows = [f"| `{name}` | {group.enabled_by} | {group.description} |" for name, group in GROUPS.items()]
    page = (ROOT / "docs" / "warnings.md").read_text("utf-8")
    assert page.partition("|---|---|---|\n")[2].partition("\n\n")[0].splitlines() == rows
