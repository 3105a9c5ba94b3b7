"""LLVM IR: the verifier accepts it, and the compiled program behaves as the evaluator does."""

from __future__ import annotations

import io
import os
import random
import re
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cpsconv import Program, Source, convert, parse
from cpsconv.core.entry import data_parameters, entry_of
from cpsconv.core.ir import SCALARS, Type
from cpsconv.core.operations.runtime_errors import ProgramError, StepLimit
from cpsconv.core.operations.types import is_integer
from cpsconv.core.source import DiagnosticError
from cpsconv.engines.machine.machine import evaluate
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.targets.llvm import llvm
from testing import native
from testing.c_programs import random_program as random_c_program
from testing.effort import is_full
from testing.expectations import CORPUS, EXAMPLES, Observation, expected_runs
from testing.graphs import build, random_graph
from testing.ir_programs import random_program
from testing.running import STRATEGIES, converted, observe, program_of
from tests.tables import table

binding = pytest.importorskip("llvmlite.binding")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="what is compiled needs a POSIX system")

CONFIGURATIONS: list[tuple[str, dict[str, Any], int]] = [
    ("scc", {}, 0),
    ("basic", {"minimal": False}, 2),
    ("marker", {"optimise": [*OPTIMISATIONS], "thread_jumps": True}, 1),
]
"""The conversions of C programs, and the optimisation levels of LLVM."""


def written(text: str) -> str:
    """The LLVM IR for a C program or a CPS text."""
    return llvm(program_of(text))


def verify(text: str) -> None:
    binding.parse_assembly(text).verify()


def do_the_same(programs: list[Program], optimise: int = 0) -> None:
    """Compiled programs without parameters behave as evaluated ones."""
    expected = [observe(program) for program in programs]
    assert native.observe_all([(program, ()) for program in programs], optimise) == expected


# ------------------------------------------------------------------------------------------------------ the same runs


@pytest.mark.parametrize(("strategy", "given", "optimise"), CONFIGURATIONS)
def test_every_program_has_the_expected_runs(strategy: str, given: dict[str, Any], optimise: int) -> None:
    """Each fourth program in one configuration; with ``--full``, all in all of them."""
    runs, expected = [], []
    for number, path in enumerate(EXAMPLES + CORPUS):
        if number % 12 != 4 * optimise and not is_full():
            continue
        program = converted(path.read_text(), strategy, **given)
        for run in expected_runs(path.read_text()):
            runs.append((program, run.arguments))
            expected.append((path.stem, run.expected))
    found = native.observe_all(runs, optimise)
    assert [(name, each) for (name, _), each in zip(expected, found, strict=True)] == expected


@pytest.mark.parametrize(("strategy", "given", "optimise"), CONFIGURATIONS)
def test_generated_programs_do_what_the_evaluator_does(strategy: str, given: dict[str, Any], optimise: int) -> None:
    seeds = range(12 * optimise, 12 * optimise + (12 if is_full() else 3))
    do_the_same([converted(random_c_program(seed), strategy, **given) for seed in seeds], optimise)


def test_random_cps_programs_do_what_the_evaluator_does() -> None:
    """They have undefined values, functions with several results or none, unusual names, and parallel edges."""
    runs, expected = [], []
    for seed in range(300 if is_full() else 150):
        source = random.Random(seed)
        program = random_program(source, source.randint(1, 3), source.randint(0, 8))
        first = program.functions[0]
        if not data_parameters(first) and is_integer(first.result):
            first.name = "main"
        try:
            verify(llvm(program))
            entry = entry_of(program)
            arguments = [_ARGUMENTS[parameter.type] for parameter in data_parameters(entry)]
            expected.append(observe(program, arguments, max_steps=1000))
        except (DiagnosticError, StepLimit):
            continue  # it has continuations for values, nothing to start with, or no end
        runs.append((program, arguments))
    assert len(runs) > 30
    assert native.observe_all(runs) == expected


_ARGUMENTS: dict[Type, str] = dict.fromkeys(SCALARS.values(), "1")


def test_random_graphs_with_undefined_values_do_what_the_evaluator_does() -> None:
    programs = []
    for seed in range(100 if is_full() else 40):
        function = build(random_graph(random.Random(seed)), STRATEGIES[seed % len(STRATEGIES)])
        verify(llvm(Program([function])))
        try:
            observe(Program([function]), max_steps=1000)
        except StepLimit:
            continue
        programs.append(Program([function]))
    assert len(programs) > 15
    do_the_same(programs)


def test_deep_recursion_and_mutual_tail_calls() -> None:
    text = r"""
        #include <stdio.h>
        long sum(long n) { return n ? n + sum(n - 1) : 0; }
        int odd(int n);
        int even(int n) { return n == 0 ? 1 : odd(n - 1); }
        int odd(int n) { return n == 0 ? 0 : even(n - 1); }
        int main(void) { printf("%ld %d\n", sum(100000), even(10000000)); return 0; }
    """
    for optimise in (0, 2):
        assert native.observe_all([(converted(text, "scc"), ())], optimise) == [Observation("5000050000 1\n")]


PROGRAMS = table("emit_llvm")
"""The longer programs of these tests."""

_NUMBERS = "\n" + PROGRAMS["_NUMBERS"]


@pytest.mark.parametrize("optimise", [0, 3])
def test_numbers_are_those_of_x86_even_where_c_defines_none(optimise: int) -> None:
    do_the_same([converted(_NUMBERS, "scc"), converted(_NUMBERS, "scc", optimise=[*OPTIMISATIONS])], optimise)


# ----------------------------------------------------------------------------------------------------- runtime errors


_ERRONEOUS = [
    'puts("before"); return 7 / zero;',
    "int n = 7 % zero; return 0;",
    "unsigned long n = 7; n /= zero; return 0;",
    "long n = -9223372036854775807L - 1; n = n / (zero - 1L); return 0;",
    "return (-2147483647 - 1) % (zero - 1);",
    "int x; return x + 1;",
    "int x; if (zero) x = 1; if (x) zero = 1; return 0;",
    "int x; switch (x) { default: return 0; }",
    'int x; puts("before"); putchar(x); return 0;',
    "double x; for (int i = 0; i < 3; i++) { if (i == 5) x = i; } return (int)x;",
    "int x; exit(x);",
    "int x; return passed(x) + 1;",
]
_HEADERS = "#include <stdio.h>\n#include <stdlib.h>\nint passed(int x) { int y = x; return y; }\n"


def test_a_runtime_error_is_reported_after_all_output() -> None:
    programs = [converted(f"{_HEADERS}int main(void) {{ int zero = 0; {body} }}", "scc") for body in _ERRONEOUS]
    for optimise in (0, 2):
        ended = native.run_all([(program, ()) for program in programs], optimise)
        for program, found in zip(programs, ended, strict=True):
            output, errors = io.BytesIO(), io.BytesIO()
            with pytest.raises(ProgramError) as raised:
                evaluate(program, output=output, errors=errors)
            message = str(raised.value).splitlines()[0]
            assert (found.output, found.errors, found.code) == (output.getvalue().decode(), f"{message}\n", 3)


def test_external_callers_pass_and_get_defined_values_only() -> None:
    program = converted("int f(int x, int y) { int z; if (x) z = y; return x > 1 ? f(0, z) : z; }", "scc")
    found = native.run_all([(program, arguments) for arguments in (["1", "7"], ["0", "7"], ["2", "7"])])
    assert [(each.output, each.errors, each.code) for each in found] == [
        ("7\n", "", 0),
        ("", "program.c:1:51: runtime error: `z` is used uninitialised\n", 3),
        ("", "program.c:1:51: runtime error: `z` is used uninitialised\n", 3),
    ]
    verify(text := llvm(program))
    assert re.findall("^define [^i].*", text, re.MULTILINE) == []
    assert "define i32 @f(i32 %0, i32 %1) {\n" in text


def test_only_values_that_may_be_undefined_have_companions() -> None:
    for path in EXAMPLES:
        assert ".unset" not in llvm(converted(path.read_text(), "scc"))


def test_main_may_return_any_integer_or_nothing_or_never() -> None:
    statuses = {
        "main(ret : () → ⊥) → ⊥ { ret() }": 0,
        "main(ret : bool → ⊥) → ⊥ { ret(true) }": 1,
        "main(ret : long → ⊥) → ⊥ { ret(-1l) }": 255,
        "main(ret : unsigned char → ⊥) → ⊥ { ret(unsigned char(200)) }": 200,
        "main() → ⊥ { halt(300) }": 44,
        "f(x : int) → ⊥ { branch(x == 0, λ(). abort(), λ(). f(x - 1)) }\n"
        "main(ret : int → ⊥) → ⊥ { f(1000000) }": -signal.SIGABRT,
        "f(ret : (int, bool) → ⊥) → ⊥ { ret(5, true) }\n"
        "main(ret : int → ⊥) → ⊥ { f(λ(n : int, b : bool). branch(b, λ(). halt(n), λ(). ret(n))) }": 5,
        "f(ret : int → ⊥) → ⊥ { ret(41) }\ng(n : int) → ⊥ { halt(n + 1) }\nmain(ret : int → ⊥) → ⊥ { f(g) }": 42,
    }
    ended = native.run_all([(parse(Source("program.cps", text)), ()) for text in statuses])
    assert [each.code for each in ended] == [*statuses.values()]


# ----------------------------------------------------------------------------------------------------------- the text


def test_a_continuation_is_a_block_and_a_parameter_a_phi() -> None:
    assert written("int f(int x) { int a; if (x == 0) a = 23; else a = 42; return a; }") == (
        'source_filename = "program.c"\n'
        "\n"
        "; f(x : int, ret : int → ⊥) → ⊥\n"
        "define i32 @f(i32 %x) {\n"
        "entry:\n"
        "  %v = icmp eq i32 %x, 0\n"
        "  br i1 %v, label %then, label %else\n"
        "then:\n"
        "  br label %next\n"
        "else:\n"
        "  br label %next\n"
        "next:\n"
        "  %a = phi i32 [ 23, %then ], [ 42, %else ]\n"
        "  ret i32 %a\n"
        "}\n"
    )


def test_edges_that_a_phi_cannot_distinguish_have_blocks_of_their_own() -> None:
    text = """
        f(x : int, ret : int → ⊥) → ⊥ {
          let k := (a : int) → ⊥ ret(a) in
          switch(x, 1 ⇒ λ(). k(1), 2 ⇒ λ(). k(2), 3 ⇒ λ(). k(1), 4 ⇒ λ(). ret(9), _ ⇒ λ(). k(2))
        }
    """
    program = parse(Source("program.cps", text))
    assert "%a = phi i32 [ 1, %entry ], [ 2, %to.k ], [ 1, %entry ], [ 2, %to.k1 ]\n" in llvm(program)
    runs = [(program, [argument]) for argument in "12345"]
    assert [each.output for each in native.observe_all(runs)] == ["1\n", "2\n", "1\n", "9\n", "2\n"]


def test_unusual_names_are_quoted() -> None:
    text = """
        `one two`(`x "y"` : int, `3` : float, `ret` : int → ⊥) → ⊥ {
          let `é\\` := (`ü` : int) → ⊥ ret(`ü` * 2) in
          branch(`3` == 0.5f, λ(). `é\\`(`x "y"`), λ(). `é\\`(1))
        }
    """
    text = written(text)
    verify(text)
    assert 'define i32 @"one two"(i32 %"x \\22y\\22", float %"3") {' in text
    assert '"\\C3\\A9\\5C":\n  %"\\C3\\BC" = phi i32 ' in text


def test_a_function_with_the_name_of_a_library_function_is_renamed() -> None:
    text = """
        cps_puts(ret : int → ⊥) → ⊥ { puts("I am not it"); ret(3) }
        `puts`(ret : int → ⊥) → ⊥ { cps_puts(λ(n : int). ret(n + 1)) }
        main(ret : int → ⊥) → ⊥ { `puts`(ret) }
    """
    do_the_same([parse(Source("program.cps", text))])


def test_a_function_with_a_name_that_llvm_knows_is_no_builtin() -> None:
    text = r"""
        #include <stdio.h>
        int abs(int c) { if (c > 100) return c; return abs(c + 7); }
        double sqrt(double x) { if (x > 100) return x; return sqrt(x + 7); }
        int main(void) { printf("%d %f\n", abs(-3), sqrt(4)); return 0; }
    """
    do_the_same([converted(text, "scc")], optimise=2)


def test_a_function_of_math_h_keeps_its_name_unless_the_program_calls_that_of_the_library() -> None:
    text = "double floor(double x) { return x < 2 ? 1 : 2; } double f(double x) { return floor(x); }"
    assert "define double @floor(double %x)" in written(text)
    assert "define double @cps_floor(double %x)" in written(
        f"{text} double g(double x) {{ return __builtin_floor(x); }}"
    )


def test_calls_in_tail_position_are_marked() -> None:
    text = written("""
        f(x : short, y : double, ret : short → ⊥) → ⊥ { branch(x == short(0), λ(). g(ret), λ(). f(x, y, ret)) }
        g(ret : short → ⊥) → ⊥ { f(short(5), 1.0, ret) }
    """)
    assert re.search(r"(%\w+) = musttail call signext i16 @f\(i16 signext %x, double %y\).*\n  ret i16 \1\n", text)
    assert re.search(r"(%\w+) = tail call signext i16 @g\(\).*\n  ret i16 \1\n", text)


def test_ascii_concerns_the_comments() -> None:
    text = llvm(convert(Source("program.c", "int f(void) { return 1; }")), ascii=True)
    assert "; f(ret : int -> _|_) -> _|_\n" in text


def test_thousands_of_blocks_in_a_row() -> None:
    ladder = "if (x > y) x = x - 1; " * 1_200
    text = written(f"int f(int x, int y) {{ {ladder} return x; }}")
    assert text.count(" = phi ") == 1_200
    verify(text)


@pytest.mark.skipif(not (shutil.which("llc") and shutil.which("gcc")), reason="LLVM's llc or gcc is not installed")
def test_the_installed_llc_accepts_the_text(tmp_path: Path) -> None:
    program = converted((EXAMPLES[0].parent / "gcd.c").read_text(), "scc")
    (tmp_path / "gcd.ll").write_text(llvm(program))
    for command in (
        ["llc", "-relocation-model=pic", "-filetype=obj", "gcd.ll", "-o", "gcd.o"],
        ["gcc", "gcd.o", "-o", "gcd"],
    ):
        subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "gcd"], capture_output=True, text=True)
    assert Observation(done.stdout, done.returncode) == observe(program)
