"""Early errors of JavaScript: Node accepts and refuses the same programs, of tables and mutated."""

from __future__ import annotations

import random
import re

import pytest

from cpsconv import Source
from cpsconv.core.source import Diagnostic, DiagnosticError
from cpsconv.languages.javascript import RULES, read
from testing.effort import examples
from testing.javascript import needs_node, parsed
from testing.javascript_mutants import TOKEN, mutant
from tests.tables import table

pytest.importorskip("tree_sitter_javascript")


def rows(name: str) -> list[tuple[str, bool]]:
    """The programs of a table; whether each is a module."""
    return [
        (line.replace("⏎", "\n"), goal == "module") for goal, text in table(name).items() for line in text.splitlines()
    ]


def refused(text: str, is_module: bool = False) -> list[Diagnostic]:
    """The errors of a program but for constructs that are not read."""
    try:
        read(Source("a.mjs" if is_module else "a.cjs", text))
    except DiagnosticError as raised:
        return [each for each in raised.diagnostics if each.rule != "unsupported"]
    return []


@needs_node
@pytest.mark.parametrize("kind", ["valid", "invalid"])
def test_the_programs_of_the_tables_are_accepted_or_refused_as_by_node(kind: str) -> None:
    programs = rows(f"javascript_{kind}")
    assert len(programs) >= 250
    expected = parsed(programs)
    assert [row for row, message in zip(programs, expected, strict=True) if (message == "") != (kind == "valid")] == []
    found = {row: refused(*row) for row in programs}
    assert [row for row in programs if (found[row] == []) != (kind == "valid")] == []
    assert {each.rule for errors in found.values() for each in errors} <= RULES.keys()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("let a;\nvar b, a;", "2:8 a: the name `a` is declared twice [redefined]"),
        ("x: y: for (;;) { continue z }", "1:27 z: no statement around this `continue` has the label `z` [undeclared]"),
        ("'use strict'; [eval] = a", "1:16 eval: strict mode does not allow to declare `eval`, nor to assign to it"),
        ("f(1, a?.b++)", "1:6 a?.b: this expression cannot be assigned to [not-assignable]"),
        ("class A { f() { this.#x } }", "1:22 #x: no class around `#x` declares it [undeclared]"),
        ("1 + (-a ** b)", "1:6 -a: the left operand of `**` requires parentheses [syntax]"),
        ("({ set a(b, c) {} })", "1:9 (b, c): a setter has one parameter [syntax]"),
        ("a = /b/gg", "1:8 gg: `gg` are not flags of a regular expression [literal]"),
        ("async (a = await 1) => 1", "1:12 await 1: `await` is not allowed in parameters [misplaced]"),
        ("let enum", "1:5 enum: `enum` is a reserved word [reserved-name]"),
    ],
)
def test_an_early_error_is_reported_at_the_offending_token(text: str, expected: str) -> None:
    first = refused(text)[0]
    assert first.span
    shown = f"{str(first.span).partition(':')[2]} {text[first.span.start : first.span.end]}: {first.message}"
    assert f"{shown} [{first.rule}]".startswith(expected)


_KNOWN = re.compile(
    r"\)\s*\)*\s*(?:[-+*/%&|^?<>]*=|\+\+|--)|(?:\+\+|--).*\(|for.*\(.*\("  # calls as targets of assignments
    r"|export\s+default\s+function|class.*'\\|/ //|\{\s*\w+:[^{}]*[^{}\s]\}"
)
"""What the grammar or ECMAScript refuses, and Node does not (docs/javascript.md)."""


_OTHER = ("Invalid or unexpected token",)  # of ``#!``, which only a file may begin with


@needs_node
def test_mutated_programs_are_accepted_or_refused_as_by_node() -> None:
    tables = [*rows("javascript_valid"), *rows("javascript_invalid")]
    tokens = [(TOKEN.findall(text), is_module) for text, is_module in tables]
    programs = [mutant(random.Random(seed), tokens) for seed in range(examples(40_000))]
    programs = [(f"'use strict'; {text}" * (n % 2) or text, goal) for n, (text, goal) in enumerate(programs)]
    wrong = []
    for program, message in zip(programs, parsed(programs), strict=True):
        errors = refused(*program)
        is_known = message in _OTHER or message.startswith("Invalid regular expression")
        is_known = is_known or (not message and _KNOWN.search(program[0]) is not None)
        if bool(errors) != bool(message) and not is_known:
            wrong.append((program, message or errors[0].message))
    assert wrong == []
