"""The small evaluator defines the meaning of programs: each engine does what it does, on the whole corpus."""

from __future__ import annotations

import ast
import io
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cpsconv import Program, Source, convert
from cpsconv.abi.library import with_library
from cpsconv.core.arguments import parse_arguments
from cpsconv.core.construction import Builder
from cpsconv.core.entry import Data, entry_of
from cpsconv.core.evaluator import End, evaluate
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.source import DiagnosticError
from cpsconv.engines import EngineName, engine_for, prepare
from cpsconv.engines.machine.machine import Aborted, Halted, Outcome
from cpsconv.pipeline import OPTIMISATIONS
from scripts.architecture import PACKAGE
from testing import memory_programs, nested_programs
from testing.counting import growth, lines_executed
from testing.effort import beyond_the_stack, each_in_turn, examples, is_full, sample
from testing.engines import ENGINE_NAMES
from testing.evaluation import EXTERNALS
from testing.expectations import CORPUS, ENTERED_TWICE, EXAMPLES, expected_runs
from testing.language_programs import PROGRAMS, LanguageProgram
from testing.running import STRATEGIES, converted, programs_to_run
from tests.core.test_memory import DEFAULTS, SHIFT, main_of, program_of, test_every_access_is_checked

SYSTEM_CALLS = {
    "formats_of_different_types": "the library prints `%n` and wide characters, and writes to the stream itself",
    "library_functions_as_values": "the program reads and writes streams, by calls through pointers",
}
"""The programs of the corpus that make system calls, which the evaluator does not have, and what they make them for."""

FAULTS = [case[0] for case in getattr(test_every_access_is_checked, "pytestmark")[0].args[1]]  # noqa: B009
"""The planted faults of the tests of the machine."""

STRUCTS = """
a := allocate point[2];
int[point.x(a)] := 1;
int[point.y(a)] := 20;
point[a, 1] := point[a];
shift(a, 2, ret)
"""

TAIL_CALLS = """
even(n : int, ret : int → ⊥) → ⊥ { branch(n == 0, λ(). ret(7), λ(). odd(n - 1, ret)) }
odd(n : int, ret : int → ⊥) → ⊥ { branch(n == 0, λ(). ret(8), λ(). even(n - 1, ret)) }
main(ret : int → ⊥) → ⊥ { even(SIZE, ret) }
"""

Seen = tuple[bytes, bytes, object]
"""The output of a run on its two streams, and its end: its values, or the error with its location."""


# ------------------------------------------------------------------------------------------------------ observations


def meant(program: Program, arguments: Sequence[Data]) -> Seen:
    """The behaviour of a linked program by its definition."""
    output, errors = io.BytesIO(), io.BytesIO()
    entry = entry_of(program).name
    try:
        end: object = evaluate(program, entry, arguments, output=output, errors=errors, externals=EXTERNALS)
    except ProgramError as fault:
        end = described(fault)
    return output.getvalue(), errors.getvalue(), shown(end)


def seen(program: Program, arguments: Sequence[Data], engine: EngineName) -> Seen:
    """The behaviour of a linked program under an engine."""
    output, errors = io.BytesIO(), io.BytesIO()
    try:
        run = prepare(program, entry_of(program), engine_for(program, engine))
        end: object = as_end(run(arguments, output=output, errors=errors))
    except ProgramError as fault:
        end = described(fault)
    return output.getvalue(), errors.getvalue(), shown(end)


def as_end(outcome: Outcome) -> End:
    if isinstance(outcome, Aborted):
        return End("abort", [])
    if isinstance(outcome, Halted):
        return End("halt", [outcome.status])
    return End("return", [] if outcome.value is None else [outcome.value])


def shown(end: Any) -> object:
    """The end; of the status of `halt`, a run shows the lowest byte."""
    return ("halt", end.arguments[0] & 0xFF) if isinstance(end, End) and end.continuation == "halt" else repr(end)


def described(fault: ProgramError) -> str:
    """The error without its notes, which the evaluator does not have but for the end of an object."""
    return f"{type(fault).__name__}: {fault.diagnostic.span}: {fault.diagnostic.message}"


def agreed(program: Program, arguments: Sequence[str] = (), engines: Sequence[EngineName] = ("machine",)) -> object:
    """The end of a run by its definition. The engines must have the same behaviour."""
    linked = with_library(program)
    assert with_library(linked) is linked
    values = parse_arguments(entry_of(linked), arguments)
    expected = meant(linked, values)
    for engine in engines:
        assert seen(linked, values, engine) == expected, engine
    return expected[2]


# ------------------------------------------------------------------------------------------------------- the corpus

C_PROGRAMS = [path for path in EXAMPLES + CORPUS if path.stem not in SYSTEM_CALLS]


@each_in_turn(
    path=sample(C_PROGRAMS, 4),
    strategy=STRATEGIES,
    minimal=(True, False),
    optimise=([], OPTIMISATIONS),
    thread_jumps=(False, True),
)
def test_engines_do_what_a_program_in_c_means(
    path: Path, strategy: str, minimal: bool, optimise: Sequence[str], thread_jumps: bool
) -> None:
    text = path.read_text()
    program = converted(text, strategy, minimal=minimal, optimise=optimise, thread_jumps=thread_jumps)
    for run in expected_runs(text):
        agreed(program, run.arguments, _engines(C_PROGRAMS.index(path)))


@pytest.mark.parametrize(("index", "program"), [*enumerate(PROGRAMS)], ids=lambda each: f"{each}"[:30])
def test_engines_do_what_a_program_in_another_language_means(index: int, program: LanguageProgram) -> None:
    memory = (None, "one", "objects")[index % 3]
    linked = with_library(program.converted(explicit_memory=memory))
    for run in program.runs:
        arguments = program.arguments(run, entry_of(linked))
        agreed(linked, arguments, [each for each in _engines(index) if f"engine-{each}" not in program.refused])


def _engines(index: int) -> list[EngineName]:
    """The engines for the program of that index: by default, `python` compiles every second, `llvm` every sixth."""
    turns = {"machine": 1, "python": 2, "llvm": 6}
    return [name for name in ENGINE_NAMES if is_full() or index % turns[name] == 0]


def test_only_programs_with_system_calls_are_excluded() -> None:
    for path in EXAMPLES + CORPUS:
        if path.stem in SYSTEM_CALLS:
            with pytest.raises(DiagnosticError, match="the evaluator has no external function `__"):
                meant(with_library(convert(Source("program.c", path.read_text()))), [])


# ----------------------------------------------------------------------------------------------- further programs


def test_the_machine_does_what_generated_cps_programs_mean() -> None:
    ends = []
    for with_memory in (False, True):
        for program, arguments in programs_to_run(range(examples(1_000)), with_memory):
            ends.append(agreed(program, arguments))
    assert len(ends) > 100 and len({*ends}) > 30


@pytest.mark.parametrize("statements", FAULTS)
def test_the_machine_reports_a_wrong_access_as_it_is_defined(statements: str) -> None:
    text = main_of(f"{statements}\nret(0)", "struct point { x : int, y : int } ")
    assert "Error: test.cps:" in str(agreed(program_of(text)))


@pytest.mark.parametrize("number", range(examples(40)))
def test_the_machine_does_what_generated_programs_with_memory_mean(number: int) -> None:
    agreed(program_of(memory_programs.program(number)))
    fault = [*memory_programs.FAULTS][number % len(memory_programs.FAULTS)]
    assert "Error: test.cps:" in str(agreed(program_of(memory_programs.program(number, fault))))


def test_a_store_of_an_undefined_value_makes_bytes_unwritten() -> None:
    body = "x := allocate int;\nint[x] := 1;\nint[x] := undef(y : int);\nz := int[x];\nret(z)"
    assert str(agreed(program_of(main_of(body)))).endswith(
        "index 0 of `x` (int, declared on line 2) is used uninitialised'"
    )


def test_structs_and_default_values_mean_what_the_machine_does() -> None:
    assert "40" in str(agreed(program_of(SHIFT + main_of(STRUCTS))))
    agreed(program_of(DEFAULTS))


def test_a_nested_function_reads_the_values_around_its_call() -> None:
    for number in range(examples(50)):
        nested = nested_programs.random_nested(Random(number), 6)
        arguments = ["3", *map(str, range(1, len(nested.parameters)))]
        agreed(nested_programs.construct(nested, Builder()), arguments)


def test_a_continuation_that_is_entered_again_has_the_values_of_its_scope() -> None:
    assert agreed(program_of(ENTERED_TWICE)) == repr(End("return", [1112]))


def test_deep_recursion_and_endless_tail_calls_need_no_stack() -> None:
    with beyond_the_stack() as size:
        text = f"int f(int n) {{ return n ? 1 + f(n - 1) : 0; }} int main(void) {{ return f({size}) == {size}; }}"
        assert agreed(convert(Source("deep.c", text))) == repr(End("return", [1]))
        assert meant(program_of(TAIL_CALLS.replace("SIZE", str(size))), [])[2] == repr(End("return", [7]))


def test_an_iteration_of_a_loop_costs_the_same_however_many_went_before() -> None:
    text = "int main(void) {{ int s = 0, k = s + 3; for (int i = 0; i < {}; i++) s ^= i & k; return s & 1; }}"
    sizes = [100, 400]
    programs = [with_library(convert(Source("loop.c", text.format(size)))) for size in sizes]
    figures = [lines_executed(partial(meant, program, [])) for program in programs]
    assert growth(figures, sizes) < 1.1


def test_an_external_function_of_the_caller_gets_the_memory_and_the_arguments() -> None:
    text = """
    extern measure(s : ptr, ret : unsigned long → ⊥) → ⊥
    extern note(n : unsigned long, ret : () → ⊥) → ⊥
    main(ret : unsigned long → ⊥) → ⊥ { measure(MESSAGE, λ(n : unsigned long). note(n, λ(). ret(n))) }
    const message := "hello\\0"
    """
    noted: list[object] = []
    externals = {"measure": lambda memory, s: len(memory.string(s)), "note": lambda memory, n: noted.append(n)}
    program = program_of(text.replace("MESSAGE", "message"))
    assert evaluate(program, externals=externals) == End("return", [5]) and noted == [5]
    with pytest.raises(DiagnosticError, match="the evaluator has no external function `note`"):
        evaluate(program, externals={"measure": externals["measure"]})
    with pytest.raises(ProgramError, match="`s` is used uninitialised"):
        evaluate(program_of(text.replace("MESSAGE", "undef(s : ptr)")), externals=externals)


def test_data_of_another_program_are_missing() -> None:
    program = program_of("extern total : int\nmain(ret : int → ⊥) → ⊥ { n := int[total]; ret(n) }")
    with pytest.raises(DiagnosticError, match="the evaluator has no definition of `total`"):
        evaluate(program)


def _lines_of_code(path: Path) -> int:
    """The lines with code, without docstrings, imports, comments and blank lines."""
    text = path.read_text(encoding="utf-8")
    other: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Import, ast.ImportFrom)) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            other.update(range(node.lineno, (node.end_lineno or 0) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(bool(line.strip()) and not line.lstrip().startswith("#") for at, line in lines if at not in other)


def test_the_evaluator_is_read_in_one_sitting() -> None:
    sizes = {path.stem: _lines_of_code(path) for path in (PACKAGE / "core" / "evaluator").glob("*.py")}
    shared = [PACKAGE / "core" / "operations" / f"{name}.py" for name in ("objects", "memory_errors")]
    memory = sizes.pop("memory") + sum(_lines_of_code(path) for path in shared)
    assert sum(sizes.values()) <= 150 and memory <= 250
