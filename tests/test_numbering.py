"""Numbered names: of the values of each variable, and of all intermediate values, as in Figure 1 of the paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv.core.ir import Program
from cpsconv.core.source import Diagnostic, Source
from cpsconv.core.text import parse, pretty, reformat
from cpsconv.targets import TARGETS, Style
from cpsconv.targets.numbering import Names, numbered_text
from testing.effort import each_in_turn, examples, sample
from testing.expectations import CORPUS, EXAMPLES
from testing.ir_programs import programs
from testing.isomorphism import same_program
from testing.running import LAYOUTS, Layout, converted, program_of

FIGURE_1 = """\
f(d : int, ret : int → ⊥) → ⊥ {
  v₁ := 42;
  v₂ := v₁ + v₁;
  v₃ := 23;
  v₄ := v₂ + v₃;
  v₅ := v₄ + d;
  ret(v₅)
}
"""
LOOP = "int f(int n) { int s = 0; while (n > 0) { s += n; n--; } return s; }"
NUMBERED: list[Names] = ["numbered", "all"]


def written(program: Program | str, target: str = "cps", **style: Any) -> str:
    """The text of a target for a program, a C program or a CPS text."""
    return TARGETS[target](program_of(program) if isinstance(program, str) else program, Style(**style))


def test_figure_1_of_the_paper_has_five_values() -> None:
    assert written(Path("examples/fig1.c").read_text(), names="all") == FIGURE_1


def test_the_phi_form_of_figure_1() -> None:
    values = ["int v₁: 42", "int v₂: v₁ + v₁", "int v₃: 23", "int v₄: v₂ + v₃", "int v₅: v₄ + d", "return v₅"]
    text = written(Path("examples/fig1.c").read_text(), "ssa", names="all")
    assert text == "\n".join(["int f(int d) {", *(f"  {each}" for each in values), "}", ""])


def test_each_value_of_a_variable_has_a_number() -> None:
    assert written(LOOP, "ssa", names="numbered", ascii=True) == (
        "int f(int n1) {\n"
        "  goto while\n"
        "while:\n"
        "  int n2: phi(n1 [f], n2 - 1 [body])\n"
        "  int s1: phi(0 [f], s1 + n2 [body])\n"
        "  if (n2 > 0) goto body else goto exit\n"
        "body:\n"
        "  goto while\n"
        "exit:\n"
        "  return s1\n"
        "}\n"
    )
    assert "while := (n₂ : int, s₁ : int) → ⊥\n" in written(LOOP, names="numbered")


def test_numbers_ascend_in_the_order_of_the_text() -> None:
    text = written("int f(int x, int y) { int a = x ? y + 1 : y + 2; return a * a; }", names="all")
    found = [line.split()[0] for line in text.splitlines() if " := v" in line or " := y" in line]
    assert found == sorted(found) and len(found) > 2


def test_equal_constants_are_one_value_in_a_continuation_and_bound_again_in_the_next() -> None:
    text = written("int f(int x) { if (x + 7 > 7) return 7 + 7; return x; }", names="all")
    assert text.count(":= 7;") == 2


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("names", NUMBERED)
def test_no_name_is_that_of_another_part(names: Names, ascii: bool) -> None:
    text = """
        v₁(i : int, i₁ : int, ret : int → ⊥) → ⊥ { let i₂ := (i1 : int) → ⊥ ret(i1 + i₁) in i₂(i) }
        i1(v₂ : int, `in` : int, ret : int → ⊥) → ⊥ { x := v₂ * `in`; v₁(x, x, ret) }
    """
    program, warnings = parse(Source("names", text)), list[Diagnostic]()
    assert same_program(program, parse(Source("text", written(program, names=names, ascii=ascii)), warnings))
    assert not warnings


@pytest.mark.parametrize("names", NUMBERED)
def test_a_text_with_numbers_keeps_them(names: Names) -> None:
    text = written(LOOP, names=names)
    assert written(text, names=names) == text
    assert reformat(Source("text", text)) == text


@each_in_turn(path=sample(CORPUS + EXAMPLES, 8), names=NUMBERED, layout=LAYOUTS, ascii=(False, True))
def test_the_text_is_that_of_the_same_program(path: Path, names: Names, layout: Layout, ascii: bool) -> None:
    """By default for each eighth program: random programs have the rest."""
    program = converted(path.read_text(), "scc")
    before = pretty(program)
    text = numbered_text(program, names=names, layout=layout, ascii=ascii, width=80)
    assert same_program(parse(Source("plain", before)), parse(Source("numbered", text)))
    assert pretty(program) == before
    assert written(program, "ssa", names=names).count("φ(") == written(program, "ssa").count("φ(")


@settings(max_examples=examples(100))
@given(programs(), st.sampled_from(NUMBERED), st.sampled_from(LAYOUTS), st.booleans())
def test_random_programs_are_preserved(program: Program, names: Names, layout: Layout, ascii: bool) -> None:
    text = numbered_text(program, names=names, layout=layout, ascii=ascii, width=60)
    warnings: list[Diagnostic] = []
    assert same_program(program, parse(Source("text", text), warnings))
    assert not warnings
    assert written(program, "ssa", names=names).count("φ(") == written(program, "ssa").count("φ(")
