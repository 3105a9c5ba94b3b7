"""Promotion against LLVM: no function has more parameters than LLVM's passes leave φ functions for the same source.

LLVM gets the program with all variables in memory, and promotes them by its pass SROA, which contains mem2reg.
"""

from __future__ import annotations

import pytest

from cpsconv import Source, convert
from cpsconv.emit.llvm import llvm
from cpsconv.frontends.c.lowering import promotion, statements
from cpsconv.frontends.c.lowering.object_types import ObjectTypes
from cpsconv.frontends.c.meaning import typed_tree as t
from cpsconv.ir import Call, Function, Program
from tests.c_programs import random_program
from tests.expectations import CORPUS


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
