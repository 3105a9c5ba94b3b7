"""Promotion against LLVM: no function has more parameters than LLVM's passes leave φ functions for the same source.

LLVM gets the program with all variables in memory, and promotes them by its pass SROA, which contains mem2reg.
"""

from __future__ import annotations

import pytest

from benchmarks.promotion import compared
from testing.c_programs import random_program
from testing.effort import sample
from testing.engines import alike
from testing.expectations import CORPUS
from testing.running import converted, reread


def worse(text: str) -> list[str]:
    """The functions with more parameters than LLVM leaves φ functions."""
    pytest.importorskip("llvmlite")
    return compared(text, "program").worse


@pytest.mark.parametrize("number", sample(range(1, 41), 12))
@pytest.mark.parametrize("memory", [False, True], ids=["scalars", "memory"])
def test_a_random_program_has_at_most_as_many_parameters_as_llvm_leaves_phis(number: int, memory: bool) -> None:
    assert worse(random_program(number, memory=memory)) == []


@pytest.mark.parametrize(
    "name", ["points_in_variables", "parameters_of_type_struct", "addresses_of_variables", "scopes_and_jumps", "n_body"]
)
def test_a_program_has_at_most_as_many_parameters_as_llvm_leaves_phis(name: str) -> None:
    assert worse(corpus(name)) == []


def test_llvm_has_one_phi_for_the_unit_of_bit_fields_and_for_the_address_of_a_chosen_struct() -> None:
    pytest.importorskip("llvmlite")
    counts = compared(corpus("copies_of_structs"), "program")
    assert counts.worse_by_bit_fields == 1
    assert [line.split(": ")[1] for line in counts.worse] == ["main"]


def corpus(name: str) -> str:
    [path] = [path for path in CORPUS if path.stem == name]
    return path.read_text(encoding="utf-8")


# ----------------------------------------------------------------------------------- scalars that were never written

FIELDS = """\
#include <stdio.h>
#include <stdlib.h>
struct point { int x, y; } global;
struct flags { unsigned a : 3; int b : 5; };
struct point half(int x) { struct point p; p.x = x; return p; }
int main(void) {
    struct point *h = malloc(2 * sizeof *h);
    struct flags *g = malloc(sizeof *g);
    h->x = 1;
STATEMENTS
    return 0;
}
"""


def test_a_field_that_was_never_written_is_an_error_where_it_is_used() -> None:
    cases = [
        ('struct point p = *h;\nputs("copied");\nprintf("%d", p.y);', 12, "`p.y` is used uninitialised"),
        ("struct point p;\np = half(3);\nh[1] = p;\nif (h[1].x) return h[1].y;", 13, "index 3 of the memory allocated"),
        ("struct point p = half(3), q = p;\nq.x++;\nif (p.y) return 1;", 12, "`p.y` is used uninitialised"),
        ("struct point p = global.x ? *h : h[1];\nif (p.x) return 1;", 11, "`p.x` is used uninitialised"),
        ("struct point p = h[2];\nreturn p.x;", 10, "index 4 of the memory allocated"),
        ("g->a = 1;\nif (h->y) return 1;", 11, "index 1 of the memory allocated"),
        ("return g->a;", 10, "index 0 of the memory allocated"),
        ("struct flags f;\nf.a = 1;\nif (f.b) return 1;", 12, "`f.b` is used uninitialised"),
        ("struct flags f, *p = &f;\nif (p->b) return 1;", 11, "index 0 of `f`"),
    ]
    programs = [converted(FIELDS.replace("STATEMENTS", statements), "scc") for statements, *_ in cases]
    alike([reread(program) for program in sample(programs, 3)])
    for (*_, end), (_, line, message) in zip(alike(programs), cases, strict=True):
        assert f": program.c:{line}:" in end and f"runtime error: {message}" in end
