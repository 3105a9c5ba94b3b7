"""Declarations of C: types, scopes, linkage and storage, of correct and of wrong programs."""

from __future__ import annotations

import subprocess

import pytest

from cpsconv import convert
from cpsconv.core.construction import Builder
from cpsconv.core.source import Diagnostic, DiagnosticError, Source
from cpsconv.languages import read
from testing.effort import sample
from testing.gcc import needs_gcc
from tests.tables import cases, table


def found_in(text: str) -> list[Diagnostic]:
    """The errors of a program, or else its warnings."""
    warnings: list[Diagnostic] = []
    try:
        read("c", Source("test.c", text))(Builder(), warnings)
    except DiagnosticError as caught:
        return [each for each in caught.diagnostics if each.severity == "error"]
    return warnings


def gcc_accepts(text: str) -> bool:
    command = ["gcc", "-std=gnu17", "-w", "-fsyntax-only", "-x", "c", "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True, check=False).returncode == 0


ACCEPTED = table("c_declarations")


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_correct_declarations_are_accepted(text: str) -> None:
    assert not found_in(text)


@needs_gcc
@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_gcc_accepts_them(text: str) -> None:
    assert gcc_accepts(text)


REJECTED = {text: message for message, texts in cases("c_wrong_declarations") for text in texts.strip().split("\n\n")}


@pytest.mark.parametrize("text", REJECTED)
def test_a_wrong_declaration_is_reported_once(text: str) -> None:
    assert [each.message for each in found_in(text)] == [REJECTED[text]]


@needs_gcc
def test_gcc_rejects_them() -> None:
    """By default each fourth: gcc's judgment of a text changes with the text alone."""
    texts = [text for text in REJECTED if "void a" not in text and "int n) { struct" not in text]
    assert [text for text in sample(texts, 4) if gcc_accepts(text)] == []


def test_a_disagreement_names_both_places() -> None:
    [found] = found_in("long count;\nextern int count;\n")
    assert (str(found.span), [(text, str(span)) for text, span in found.notes]) == (
        "test.c:2:12",
        [("it is first declared here as `long count`", "test.c:1:6")],
    )


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("int f(void) { static int n; return 0; }", "unused-variable"),
        ("int f(void) { int n __attribute__((unused)); return 0; }", None),
        ("struct { int a; };", "missing-declarations"),
        ("int;", "missing-declarations"),
        ("struct s { int; int a; };", "missing-declarations"),
    ],
)
def test_useless_declarations_are_warned_of(text: str, rule: str | None) -> None:
    found: list[Diagnostic] = []
    convert(Source("test.c", text), warnings=found, warn=["all"])
    assert [each.rule for each in found] == ([rule] if rule else [])


def test_declarators_and_records_may_be_nested_deeply() -> None:
    depth = 3000
    assert not found_in(f"int {'(' * depth}x{')' * depth};")
    assert not found_in(f"int {'*' * depth}x;")
    assert not found_in(f"int main(void) {{ {'typeof(' * depth}int{')' * depth} x; }}")
    assert not found_in(f"struct s {{ {'struct { ' * 99} int x; {'}; ' * 99} }} v;")


@pytest.mark.parametrize("depth", [101, 3000])
def test_objects_nested_too_deeply_are_refused(depth: int) -> None:
    limit = "nests more than 100 arrays and structs, which is not supported"
    array = found_in(f"int a{'[1]' * depth};")
    inside = found_in(f"{'struct { ' * depth} int x; {'} f; ' * (depth - 1)} }} v;")
    chain = found_in(
        "struct s0 { int x; }; " + "".join(f"struct s{i + 1} {{ struct s{i} f; }}; " for i in range(depth))
    )
    assert [each.message for each in array] == [f"`a` {limit}"]
    for found in (inside, chain):
        assert found[0].message == f"the struct or union with the member `f` {limit}"
