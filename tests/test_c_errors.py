"""Errors and warnings of the lowering of C."""

from __future__ import annotations

import re

import pytest

from cpsconv.core.construction import Builder
from cpsconv.core.source import Diagnostic, DiagnosticError, Source
from cpsconv.languages import read
from cpsconv.languages.c.diagnostics import RULES
from cpsconv.languages.warning_groups import GROUPS
from scripts.architecture import PACKAGE
from testing.c_trees import shown
from tests.tables import scenarios

SCENARIOS = scenarios("c_errors")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_errors_or_warnings_are_reported(scenario: str) -> None:
    program, expected = SCENARIOS[scenario]
    found: list[Diagnostic] = []
    try:
        read("c", Source("test.c", program))(Builder(checked=False), found)
    except DiagnosticError as caught:
        found = caught.diagnostics
    assert shown(found) == expected


@pytest.mark.parametrize(
    ("type", "article"),
    [
        *(dict.fromkeys(["int", "unsigned", "unsigned char", "unsigned long", "enum e", "__int128"], "an").items()),
        *(dict.fromkeys(["char", "long", "union u", "struct s", "double", "float *", "struct a *"], "a").items()),
    ],
)
def test_types_have_the_right_article(type: str, article: str) -> None:
    text = f"enum e {{ E }}; union u {{ int i; }}; struct s {{ int i; }};\nvoid f({type} x) {{ (0, x)(); }}"
    with pytest.raises(DiagnosticError, match=re.escape(f"this is {article} `{type}`, not a function")):
        read("c", Source("f.c", text))(Builder(checked=False), [])


def test_the_rules_are_those_that_the_front_end_reports() -> None:
    calls = r"(?:rrors\.(?:report|warn)\(\s*|rejected\(\s*typing,\s*|_report_at\(|rule=)\"([a-z-]+)\""
    folder = PACKAGE / "languages" / "c"
    not_converting = {"library", "linking", "runtime"}
    texts = [path.read_text() for path in folder.rglob("*.py") if not_converting.isdisjoint(path.parts)]
    called = {rule for text in texts for rule in re.findall(calls, text)}
    assert called - GROUPS.keys() | {"literal"} == RULES.keys() - GROUPS.keys()


@pytest.mark.parametrize(
    ("call", "type"),
    [("stdout(1)", "a `FILE *`"), ("stdin()", "a `FILE *`"), ("errno(1)", "an `int`"), ("NULL(1)", "a `void *`")],
)
def test_an_object_of_the_library_cannot_be_called(call: str, type: str) -> None:
    text = f"#include <errno.h>\n#include <stdio.h>\nint main(void) {{ {call}; return 0; }}\n"
    with pytest.raises(DiagnosticError, match=f"this is {re.escape(type)}, not a function"):
        read("c", Source("f.c", text))(Builder(), [])
