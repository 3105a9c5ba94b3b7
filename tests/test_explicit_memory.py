"""Explicit memory: its text and checks, and its construction, which erasure takes back exactly."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from cpsconv import Source, convert, evaluate, parse, pretty
from cpsconv.cli.commands import main
from cpsconv.core.check import certify, check
from cpsconv.core.construction import STRATEGIES, Builder
from cpsconv.core.construction.explicit_memory import memory_for
from cpsconv.core.construction.record import Recorder
from cpsconv.core.erasure import erased
from cpsconv.core.ir import Program
from cpsconv.core.json import from_json, to_json
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.simplify import SIMPLIFICATIONS
from cpsconv.core.source import DiagnosticError
from cpsconv.core.text import reformat
from cpsconv.core.transform.jump_threading import thread_jumps
from cpsconv.engines import ENGINES, engine_for, prepare
from cpsconv.pipeline import OPTIMISATIONS, construct
from cpsconv.targets import TARGETS, Style
from testing.c_programs import random_program
from testing.effort import each_in_turn, examples, is_full, sample
from testing.engines import ENGINE_NAMES
from testing.memory_lowerings import random_lowering
from tests.conftest import Run
from tests.core.test_memory import program_of
from tests.tables import table

FORMS = ["one", "objects"]

PROGRAMS = table("explicit_memory")
"""The longer programs of these tests."""

EXPLICIT = PROGRAMS["EXPLICIT"]


def run(program: Program, entry: str = "main", max_steps: int | None = None) -> tuple[str, bytes]:
    """The outcome or error of a run, and the output."""
    stream = io.BytesIO()
    try:
        end = str(evaluate(program, entry, output=stream, errors=stream, max_steps=max_steps))
    except ProgramError as fault:
        end = fault.diagnostic.message
    return end, stream.getvalue()


def constructed(seed: int, strategy: str, form: str | None, minimal: bool = True, **given: object) -> Program:
    """A random program, with explicit memory of the form. Certified, unless it is optimised."""
    lowering, recorder = random_lowering(seed), Recorder()
    optimise = OPTIMISATIONS.keys() - {given.get("but")} if given else ()
    simplify = [name for name in optimise if name in SIMPLIFICATIONS]
    memory = memory_for(form, lambda first: construct(lowering, Builder(strategy, simplify, first), []))
    builder = Builder(strategy, simplify, recorder, memory)
    program = construct(lowering, builder, [], minimal=minimal, optimise=optimise)
    assert (check(program) if given else certify(program, recorder.record, minimal=minimal)) == []
    return program


# ------------------------------------------------------------------------------------------------------------ text


def test_the_text_of_explicit_memory_is_read_back() -> None:
    program = program_of(EXPLICIT)
    assert pretty(program) == EXPLICIT
    assert reformat(Source("test.cps", EXPLICIT)) == EXPLICIT
    assert pretty(program_of(pretty(program, layout="flat", ascii=True, width=30))) == EXPLICIT
    assert pretty(from_json(to_json(program))) == EXPLICIT


def test_the_phi_form_has_phi_functions_of_memory() -> None:
    shown = TARGETS["ssa"](program_of(EXPLICIT), Style())
    assert "  memory m1: φ(m [shift], m2 [body])\n" in shown
    assert "  memory m2: m1 with int[point.x(p)] := x + 1\n" in shown
    assert "  int x: int[point.x(p)] in m1\n" in shown


def test_the_erased_program_is_the_ordinary_one() -> None:
    ordinary = pretty(erased(program_of(EXPLICIT)))
    assert "memory" not in ordinary
    assert "int[point.x(p)] := x + 1;" in ordinary
    program = program_of(ordinary)
    assert erased(program) is program
    assert run(program) == run(program_of(EXPLICIT)) == ("Returned(value=40, type=int)", b"A")


@pytest.mark.parametrize("engine", ["machine", "python"])
def test_engines_run_the_erased_program(engine: str) -> None:
    program, stream = program_of(EXPLICIT), io.BytesIO()
    start = program.function("main")
    assert start
    assert engine_for(program, engine) in ENGINES
    outcome = prepare(program, start, engine_for(program, engine))((), output=stream, errors=stream)
    assert getattr(outcome, "value", None) == 40


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("int[point.y(p)] in m2", "int[point.y(p)] in m1", "`m1` is not the current memory here"),
        ("for(m2, s", "for(m1, s", "`m1` is not the current memory here"),
        ("ret(s, m1)", "ret(s, m)", "`m` is not the current memory here"),
        ("ret(sum, m7)", "ret(sum, m6)", "`m6` is not the current memory here"),
        ("m4 := m3 with", "m4 := m2 with", "`m2` is not the current memory here"),
        ("int[point.x(p)] in m1", "int[point.x(p)]", "this access does not state its memory"),
        ("m6 := m5 with free(h)", "m6 := free(h) in m5", "`free` changes the memory"),
        ("h := malloc(4ul) in m4", "h := m4 with malloc(4ul)", "`malloc` does not change the memory"),
        ("s + y, i + 1", "s + y, i + 1 in m1", "expected"),
        ("m1 := m with a", "m1 := m without a", "expected `with`, found `without`"),
        ("x := int[point.x(p)] in m1", "x := n + 1 in m1", "only an access to memory takes place in a memory"),
        ("x := int[point.x(p)] in m1", "x := n in m1", "only an access to memory takes place in a memory"),
        ("m1 := m with a;", "m1 := m with 1;", "expected"),
        ("shift(a : ptr,", "shift(w : memory, a : ptr,", "`shift` takes more than one memory"),
        ("int[point.y(p)] in m2", "int[point.y(p)] in n", "`int[…]` takes ptr, not"),
    ],
)
def test_memory_is_used_in_the_order_of_the_run(before: str, after: str, expected: str) -> None:
    assert before in EXPLICIT
    source = Source("test.cps", EXPLICIT.replace(before, after))
    try:
        found = [each.message for each in check(parse(source))]
    except DiagnosticError as failure:
        found = [each.message for each in failure.diagnostics]
    assert any(message.startswith(expected) for message in found), found


def test_a_memory_needs_a_function_that_takes_it() -> None:
    found = check(
        parse(Source("test.cps", "f(ret : int → ⊥) → ⊥ { m := undef(m : memory); x := int[null] in m; ret(x) }"))
    )
    assert [each.message for each in found] == ["no function takes `memory`"]


def test_a_memory_that_one_branch_changes_is_passed_on() -> None:
    text = """f(p : ptr, m : memory, ret : (int, memory) → ⊥) → ⊥ {
      let one := () → ⊥ m1 := m with int[p] := 1; join()
          two := () → ⊥ join()
          join := () → ⊥ ret(2, m)
      in branch(p == null, one, two) }"""
    assert [each.message for each in check(parse(Source("test.cps", text)))] == ["`m` is not the current memory here"]


# ---------------------------------------------------------------------------------------------------- construction


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("form", FORMS)
def test_erasure_takes_explicit_memory_back(form: str, strategy: str) -> None:
    """The construction is certified, and the erased program has the same text as the ordinary one."""
    for seed in sample(range(6), 3):
        for minimal in (True, False) if is_full() else (seed % 2 == 0,):
            program = constructed(seed, strategy, form, minimal)
            ordinary = constructed(seed, strategy, None, minimal)
            assert pretty(erased(program)) == pretty(ordinary)
        text = pretty(program)
        assert pretty(program_of(text)) == text
        assert to_json(from_json(to_json(program))) == to_json(program)
        assert run(program, max_steps=2000) == run(ordinary, max_steps=2000)


@each_in_turn(number=sample(range(8), 2), form=FORMS, strategy=[*STRATEGIES])
def test_random_programs_in_c_have_the_ordinary_form_again_after_erasure(number: int, form: str, strategy: str) -> None:
    source = Source("p.c", random_program(number, memory=True))
    program = convert(source, strategy=strategy, explicit_memory=form, certify=True, warn=["no-everything"])
    ordinary = convert(source, strategy=strategy, warn=["no-everything"])
    assert pretty(erased(program)) == pretty(ordinary)
    assert pretty(program_of(pretty(program))) == pretty(program)


@pytest.mark.parametrize("form", FORMS)
def test_optimised_and_threaded_programs_use_memory_in_order(form: str) -> None:
    for seed in range(examples(6)):
        program = constructed(seed, "scc", form, optimise=True)
        assert pretty(erased(program)) == pretty(constructed(seed, "scc", None, optimise=True, but="memory"))
        thread_jumps(program, "scc")
        assert check(program) == []


def test_objects_whose_addresses_do_not_escape_have_memories_of_their_own() -> None:
    shown = [pretty(constructed(seed, "scc", "objects")) for seed in range(20)]
    assert sum(text.count(":= memory(") for text in shown) > 20
    assert all(":= memory(" not in pretty(constructed(seed, "scc", "one")) for seed in range(3))


# --------------------------------------------------------------------------------------------------------- commands


def test_commands_take_explicit_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "f.c"
    path.write_text("int f(int x) { return x + 1; }\nint main(void) { return f(2); }\n")
    assert main(["convert", f"{path}:f", "--explicit-memory", "--certify"]) == 0
    assert capsys.readouterr().out.startswith("f(x : int, m : memory, ret : (int, memory) → ⊥) → ⊥ {\n")
    assert main(["run", f"{path}", "--explicit-memory=objects"]) == 3
    assert main(["check", f"{path}", "--explicit-memory", "--against", f"{path}"]) == 0
    capsys.readouterr()
    assert main(["why", f"{path}:f", "m", "--explicit-memory"]) == 0
    assert capsys.readouterr().out.startswith("The parameter `m` of `f` is supplied by the callers")
    assert main(["explain", f"{path}:f", "--explicit-memory"]) == 0
    assert "`m`" in capsys.readouterr().out
    assert main(["explain", f"{path}:f", "--explicit-memory", "--html", f"{tmp_path / 'f.html'}"]) == 0
    assert "The parameter `m` of `f` is supplied by the callers" in (tmp_path / "f.html").read_text()
    assert main(["compare", f"{path}", "--explicit-memory=objects"]) == 0
    cps = tmp_path / "f.cps"
    cps.write_text(EXPLICIT)
    assert main(["convert", f"{cps}", "--explicit-memory"]) == 1
    assert "there is nothing to make explicit" in capsys.readouterr().err
    assert main(["eval", f"{cps}", "--trace"]) == 40


COMMAND_LINES = {
    "words": """#include <stdio.h>
        static int total;
        int main(int argc, char *argv[]) {
            for (int i = 1; i < argc; i++) { total += argv[i][0]; argv[i][0] = '#'; puts(argv[i]); }
            return total + !argv[argc];
        }""",
    "called": """#include <stdio.h>
        int main(int argc, char **argv) { puts(argv[argc - 1]); return argc > 1 ? main(argc - 1, argv) + 1 : 5; }""",
    "environment": "int main(int argc, char **argv, char **envp) { return envp[0] ? 99 : argc; }",
    "exit handlers": """#include <stdio.h>
        #include <stdlib.h>
        static void end(void) { puts("end"); }
        int main(int argc, char **argv) { atexit(end); return argc; }""",
}


@each_in_turn(name=[*COMMAND_LINES], engine=ENGINE_NAMES)
def test_programs_with_explicit_memory_take_command_lines(name: str, engine: str, cpsconv: Run) -> None:
    Path("program.c").write_text(COMMAND_LINES[name])
    words = "ab", "c", "--engine", engine
    expected = cpsconv("run", "program.c", *words)
    for form in FORMS:
        assert cpsconv("run", "program.c", f"--explicit-memory={form}", *words) == expected
        Path("program.cps").write_text(cpsconv("convert", "program.c", f"--explicit-memory={form}").out)
        assert cpsconv("eval", "program.cps", *words) == expected
    assert expected.err == "" and expected.status != 99
