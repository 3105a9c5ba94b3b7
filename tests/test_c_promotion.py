"""Promotion against LLVM: no function has more parameters than LLVM's passes leave φ functions for the same source.

LLVM gets the program with all variables in memory, and promotes them by its pass SROA, which contains mem2reg.
"""

from __future__ import annotations

import io

import pytest

from cpsconv import Source, convert, evaluate
from cpsconv.emit.llvm import llvm
from cpsconv.frontends.c.lowering import promotion, statements
from cpsconv.frontends.c.lowering.object_types import ObjectTypes
from cpsconv.frontends.c.meaning import typed_tree as t
from cpsconv.ir import Call, Function, Program
from cpsconv.operations.runtime_errors import ProgramError
from tests.c_programs import random_program
from tests.engines import ENGINES_HERE, seen
from tests.expectations import CORPUS
from tests.running import converted, reread


def nothing_promoted(function: t.Function, types: ObjectTypes) -> promotion.Promotion:
    """The decisions that leave all variables in memory."""
    decided = promotion.decided(function, types)
    nodes = promotion.nodes_within(function.body)
    declared = [node.variable for node in nodes if type(node) is t.Declare]
    in_memory = {local: ("", local.span) for local in [*function.parameters, *declared]}
    made = promotion.Promotion()
    made.in_memory, made.for_call, made.temporaries = in_memory, declared, decided.temporaries
    return made


def placed(function: Function) -> int:
    """The number of parameters that correspond to φ functions: those that are no results of calls."""
    calls = [member.transfer for member in function.members() if isinstance(member.transfer, Call)]
    results = {call.then.target for call in calls}
    return sum(len(each.parameters) for each in function.continuations if each not in results)


def phis(program: Program) -> dict[str, int]:
    """The number of φ functions of each function, after LLVM's pass."""
    binding = pytest.importorskip("llvmlite.binding")
    from cpsconv.construction.baselines.llvm import pass_builder

    module = binding.parse_assembly(llvm(program))
    builder, found = pass_builder(), {}
    with binding.create_new_function_pass_manager() as passes:
        passes.add_sroa_pass()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)
                found[function.name] = str(function).count(" = phi ")
    return found


def compare(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source("program.c", text)
    ours = convert(source)
    with monkeypatch.context() as patch:
        patch.setattr(statements, "decided", nothing_promoted)
        patch.setattr(statements, "uses_memory", lambda _: True)
        found = phis(convert(source, minimal=False))
    for function in ours.functions:
        assert placed(function) <= found[function.name], function.name


@pytest.mark.parametrize("number", range(1, 9))
def test_a_random_program_has_at_most_as_many_parameters_as_llvm_leaves_phis(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare(random_program(number, memory=True), monkeypatch)


@pytest.mark.parametrize("name", ["points_in_variables", "addresses_of_variables", "scopes_and_jumps", "n_body"])
def test_a_program_has_at_most_as_many_parameters_as_llvm_leaves_phis(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    [path] = [path for path in CORPUS if path.stem == name]
    compare(path.read_text(encoding="utf-8"), monkeypatch)


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


@pytest.mark.parametrize(
    ("statements", "line", "message"),
    [
        ('struct point p = *h;\nputs("copied");\nprintf("%d", p.y);', 12, "`p.y` is used uninitialised"),
        ("struct point p;\np = half(3);\nh[1] = p;\nif (h[1].x) return h[1].y;", 13, "index 3 of the memory allocated"),
        ("struct point p = half(3), q = p;\nq.x++;\nreturn p.y;", 12, "`p.y` is used uninitialised"),
        ("struct point p = global.x ? *h : h[1];\nif (p.x) return 1;", 11, "`p.x` is used uninitialised"),
        ("struct point p = h[2];\nreturn p.x;", 10, "index 4 of the memory allocated"),
        ("g->a = 1;\nif (h->y) return 1;", 11, "index 1 of the memory allocated"),
        ("return g->a;", 10, "index 0 of the memory allocated"),
        ("struct flags f;\nf.a = 1;\nif (f.b) return 1;", 12, "`f.b` is used uninitialised"),
        ("struct flags f, *p = &f;\nif (p->b) return 1;", 11, "index 0 of `f`"),
    ],
)
@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_a_field_that_was_never_written_is_an_error_where_it_is_used(
    engine: str, statements: str, line: int, message: str
) -> None:
    program = converted(FIELDS.replace("STATEMENTS", statements), "scc")
    assert "Error" in seen(program, [], engine)[2]
    assert seen(program, [], engine) == seen(program, [], "machine")
    assert seen(reread(program), [], engine) == seen(reread(program), [], "machine")
    with pytest.raises(ProgramError) as raised:
        evaluate(program, output=io.BytesIO(), errors=io.BytesIO())
    found = raised.value.diagnostic
    assert found.span and found.span.line == line and found.message.startswith(message)
