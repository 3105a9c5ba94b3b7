"""The formatter of CPS text, with comments."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv.core.ir import Program
from cpsconv.core.source import DiagnosticError, Source
from cpsconv.core.text import parse, pretty, reformat
from cpsconv.core.text.printer import Layout
from cpsconv.core.text.syntax import tokens
from testing.effort import beyond_the_stack, examples
from testing.ir_programs import programs
from testing.isomorphism import same_program
from tests.tables import table


def reformatted(text: str, layout: Layout | None = None, width: int = 80) -> str:
    """The formatted text; formatting it again must not change it."""
    once = reformat(Source("text.cps", text), layout=layout, width=width)
    assert reformat(Source("again", once), layout=layout, width=width) == once
    return once


def body(text: str, layout: Layout | None = None, width: int = 80) -> str:
    """The formatted body of a function."""
    header = "f(x : int, ret : int → ⊥) → ⊥ {\n"
    once = reformatted(f"{header}{text}}}\n", layout, width)
    assert once.startswith(header) and once.endswith("}\n")
    return once[len(header) : -2]


PROGRAMS = table("core_text_comments")
"""The longer programs of these tests."""

EVERYWHERE = PROGRAMS["EVERYWHERE"]


def test_comments_stay_above_or_after_their_items() -> None:
    assert reformatted(EVERYWHERE) == EVERYWHERE
    assert reformatted(EVERYWHERE.replace("\n", " \r\n")) == EVERYWHERE
    assert reformatted(EVERYWHERE + "\n \n") == EVERYWHERE


def test_comments_are_indented_with_their_items() -> None:
    assert reformatted(re.sub(r"^ +", "", EVERYWHERE, flags=re.MULTILINE)) == EVERYWHERE


def test_in_flat_layout_comments_move_with_their_items() -> None:
    flat = reformatted(EVERYWHERE, "flat")
    assert "      // the call\n      f(sum, k)\n    k := (r : int) → ⊥ // the result\n      // the effect\n" in flat
    assert reformatted(flat) == flat
    assert reformatted(flat, "nested") == EVERYWHERE


def test_comments_around_let_and_in_belong_to_the_next_item() -> None:
    text = """\
  // a
  let // b
    // c
    k := () → ⊥
      ret(x) // d
      // e
  in // f
  // g
  k() // h
  // i
"""
    assert body(text) == (
        "  let\n"
        "    // a\n"
        "    // b\n"
        "    // c\n"
        "    k := () → ⊥\n"
        "      ret(x) // d\n"
        "  in\n"
        "  // e\n"
        "  // f\n"
        "  // g\n"
        "  k() // h\n"
        "  // i\n"
    )


def test_comments_inside_an_item_move_above_or_after_it() -> None:
    text = "  v := x // a\n  *\n  // b\n  x; branch // c\n( v == v // d\n,\n  // e\nλ(). ret(1), λ(). ret // f\n(v))\n"
    assert body(text) == (
        "  // a\n  // b\n  v := x * x;\n  // c\n  // d\n  // e\n  branch(v == v, λ(). ret(1), λ(). ret(v)) // f\n"
    )
    header = "// before\nf( // a\n  x // b\n  : int // c\n) → ⊥ // d\n{ halt(x) }\n"
    assert reformatted(header) == "// before\n// a\n// b\n// c\nf(x : int) → ⊥ { // d\n  halt(x)\n}\n"


def test_values_with_names_keep_their_lines_and_comments() -> None:
    text = "  // a\n  a := x + 1; // behind a\n  // b\n  b := x * x;\n  // c\n  c := 5; // 5\n  ret(a + b + b + c)\n"
    assert body(text) == text


def test_comments_move_with_abstractions_that_get_a_name() -> None:
    text = "  branch(x == 0, λ(). // a\n // b\n  putchar(x); ret(0) // c\n , // d\n  ret1) // e\n"
    assert body(f"let ret1 := () → ⊥ ret(1) in {text}") == (
        "  let\n"
        "    ret1 := () → ⊥\n"
        "      ret(1)\n"
        "    k := () → ⊥ // a\n"
        "      // b\n"
        "      putchar(x);\n"
        "      ret(0) // c\n"
        "  in\n"
        "  // d\n"
        "  branch(x == 0, k, ret1) // e\n"
    )


def test_names_in_back_quotes_survive() -> None:
    text = """\
`f g`(`a b` : int, `in` : int, `ret` : int → ⊥) → ⊥ {
  `1` := `a b` * `in`;
  let
    `then //` := (`halt` : int) → ⊥
      ret(`halt` + `1`)
  in
  branch(`1` == 0, λ(). `then //`(1), λ(). halt(`1`))
}
"""
    assert reformatted(text) == text.replace("`ret`", "ret")


NAMES = PROGRAMS["NAMES"]


@pytest.mark.parametrize("width", [40, 80])
def test_names_are_kept(width: int) -> None:
    assert reformatted(NAMES, width=width) == NAMES
    squeezed = re.sub(r"\s+", " \t\n ", NAMES).replace("⊥", "_|_").replace("λ", "\\")
    assert reformatted(squeezed, width=width) == NAMES


@pytest.mark.parametrize("layout", ["nested", "flat"])
def test_a_function_stays_as_it_is_where_a_layout_would_change_the_meaning_of_a_name(layout: Layout) -> None:
    text = NAMES + "\nlast(x : int, ret : int → ⊥) → ⊥ {\n  f(x, 1, λ(x : int).\n  f(x, 2, ret))\n}\n"
    arranged = reformatted(text, layout)
    assert arranged.startswith(NAMES)
    assert ("  f(x, 1, λ(x : int)." in arranged) == (layout == "nested")


MERGE = """\
  let
    a := (b : int) → ⊥
      branch(x == 1, c, d)
    c := () → ⊥
      b()
    d := () → ⊥
      b()
    b := () → ⊥
      ret(x)
  in
  a(x)
"""

LOCAL = """\
  let
    a := () → ⊥
      let
        x := () → ⊥
          ret(1)
      in
      x()
  in
  a()
"""


@pytest.mark.parametrize(("text", "layout"), [(MERGE, "nested"), (LOCAL, "flat")])
def test_a_function_stays_as_it_is_where_a_layout_would_bind_a_name_twice(text: str, layout: Layout) -> None:
    assert body(text, layout) == text


def test_an_abstraction_gets_a_name_that_the_text_does_not_have() -> None:
    branch = "branch(a == 0, λ(). putchar(a); ret(a), λ(). k(a))"
    text = f"  let\n    k := (k1 : int) → ⊥\n      ret(k1)\n  in\n  f(x, λ(a : int).\n  {branch})\n"
    assert "    k2 := () → ⊥\n      putchar(a);\n      ret(a)\n" in body(text)
    assert "\n    k3 := (a : int) → ⊥\n" in body(text, "flat")


def test_deep_expressions_get_names_once() -> None:
    assert "  v1 := " in body(f"  v := {'x + (' * 40}x{')' * 40};\n  ret(v)\n")


def test_a_comment_after_an_item_moves_above_it_if_the_line_is_too_long() -> None:
    assert body("  putchar(x); // 345\n  ret(x) // 345678\n", width=40) == "  putchar(x); // 345\n  ret(x) // 345678\n"
    assert body("  putchar(x); // " + "long" * 10 + "\n  ret(x)\n", width=40) == (
        "  // " + "long" * 10 + "\n  putchar(x);\n  ret(x)\n"
    )


def test_slashes_in_a_string_are_no_comment() -> None:
    text = '  puts("// no"); // yes // once\n  //\n  // λ → ⊥\n  ret(x / 2)\n'
    assert body(text) == text


def test_a_program_is_printed_without_comments() -> None:
    assert "//" not in pretty(parse(Source("text.cps", EVERYWHERE)))


@settings(max_examples=examples(100))
@given(programs(), st.sampled_from(["nested", "flat"]), st.sampled_from([1, 20, 40, 80]), st.data())
def test_comments_anywhere_are_kept_in_order_and_nothing_else_changes(
    program: Program, layout: Layout, width: int, data: st.DataObject
) -> None:
    text = pretty(program, layout=layout, width=width)
    starts = [0, *(token.end for token in tokens(text) if token.text)]
    chosen = sorted(data.draw(st.lists(st.sampled_from(starts), min_size=1, max_size=20)))
    parts = []
    for number, (start, end) in enumerate(zip([0, *chosen], [*chosen, len(text)], strict=True)):
        parts += [text[start:end], data.draw(st.sampled_from([" ", "\n", "\n\n"])), f"//~{number}\n"]
    written = "".join(parts)

    once = reformatted(written, layout, width)
    comments = re.findall(r"//~\d+", written)
    assert re.findall(r"//~\d+", once) == comments
    without = re.sub(r"^ *//~\d+\n| //~\d+", "", once, flags=re.MULTILINE)
    assert [line for line in without.splitlines() if line] == [line for line in text.splitlines() if line]
    other = reformatted(written, "flat" if layout == "nested" else "nested", width)
    assert sorted(re.findall(r"//~\d+", other)) == sorted(comments)
    assert same_program(parse(Source("other", other)), parse(Source("text", text)))


@pytest.mark.parametrize("layout", ["nested", "flat"])
def test_many_comments_in_a_large_and_deep_text(layout: Layout) -> None:
    with beyond_the_stack() as count:
        text = f"""\
f(x : int, ret : int → ⊥) → ⊥ {{
{"putchar(x); // effect|" * count}
{"// above|f(x, λ(x : int). // abstraction|" * count}
ret(x)
{") // closing|" * count}
{"// end|" * count}
}}
"""
        once = reformatted(text.replace("|", "\n"), layout)
    for comment in ("effect", "above", "abstraction", "closing", "end"):
        assert once.count(f"// {comment}\n") == count


def test_a_text_with_unused_continuations_is_rejected() -> None:
    text = """\
f(ret : () → ⊥) → ⊥ {
  let
    a := () → ⊥
      let
        inner := () → ⊥
          ret()
      in
      inner()
    b := () → ⊥
      ret()
  in
  ret()
}
"""
    with pytest.raises(DiagnosticError) as caught:
        reformat(Source("text.cps", text))
    assert str(caught.value) == (
        "text.cps:3:5: error: the continuation `a` is never used, and would be lost\n"
        "    3 |     a := () → ⊥\n"
        "      |     ^\n"
        "help: use it, delete it, or make it a comment\n"
        "text.cps:9:5: error: the continuation `b` is never used, and would be lost\n"
        "    9 |     b := () → ⊥\n"
        "      |     ^\n"
        "help: use it, delete it, or make it a comment"
    )
