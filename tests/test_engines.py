"""The engines have the same observable behaviour as the machine."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cpsconv import Program
from cpsconv.abi.runtime.command_line import with_command_line
from cpsconv.cli import main
from cpsconv.core import ir
from cpsconv.core.arguments import parse_arguments
from cpsconv.core.entry import entry_of
from cpsconv.core.operations.runtime_errors import StepLimit
from cpsconv.core.operations.table import PRIMITIVES
from cpsconv.core.operations.types import is_data
from cpsconv.core.source import DiagnosticError
from cpsconv.engines import ENGINES, EngineName, engine_for, prepare
from cpsconv.engines.machine.limits import Limits
from cpsconv.engines.python import runtime, source
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.targets.c import c
from testing import gcc
from testing.c_programs import random_program
from testing.effort import examples, is_full
from testing.engines import COMPILERS, HAS_NATIVE, native, seen
from testing.exact_operations import program_of_operations
from testing.gcc import needs_gcc
from testing.running import STRATEGIES, converted, program_of, programs_to_run


def do_the_same(program: Program, arguments: list[str], engine: EngineName, max_steps: int | None = None) -> None:
    """The observable behaviour equals that of the machine."""
    program = with_command_line(program)
    values = parse_arguments(entry_of(program), arguments)
    assert seen(program, values, engine) == seen(program, values, "machine", max_steps)


def python_of(text: str, entry: str = "main") -> str:
    """The Python text of a C program."""
    program = program_of(text)
    function = program.function(entry)
    assert function
    return source(program, function)[0]


# -------------------------------------------------------------------------------------------------------- the same runs


@pytest.mark.parametrize("engine", COMPILERS)
def test_generated_c_programs_do_the_same(engine: EngineName) -> None:
    for number in range(100, 108 if engine == "python" else 103):
        optimise = OPTIMISATIONS if number % 2 else []
        do_the_same(
            converted(random_program(number), STRATEGIES[number % len(STRATEGIES)], optimise=optimise), [], engine
        )


@pytest.mark.parametrize("engine", COMPILERS)
def test_generated_cps_programs_do_the_same(engine: EngineName) -> None:
    count, first = 0, examples(1000 if engine == "python" else 500)
    for program, arguments in programs_to_run(range(first)):
        if engine_for(program, engine) == engine:
            try:
                do_the_same(program, arguments, engine, max_steps=300)
            except (StepLimit, DiagnosticError):
                continue  # it does not end soon, or LLVM IR cannot express it
            count += 1
    assert count > (examples(300) if engine == "python" else examples(30))


# ------------------------------------------------------------------------------------------------------ Python text


def test_a_loop_becomes_a_while_with_a_parallel_assignment() -> None:
    text = "int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }"
    text += "int main(void) { return gcd(12, 18); }"
    loop = "    while b != 0:\n        b, a = a % b, b\n"
    assert python_of(text).split("\n\n\n")[1] == f"def gcd(a, b):\n{loop}    return a\n"


def test_numbers_are_wrapped_only_where_they_may_overflow() -> None:
    text = "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s = 3 * s + i; return s; }"
    assert python_of(text, "f").splitlines()[3:] == [
        "    for i in range(i, n):",
        "        s = 3 * s + i",
        "        if not -1073741823 <= s <= 1073741823 and not -2147483648 <= s <= 2147483647:",
        "            s = (s & 4294967295 ^ 2147483648) - 2147483648",
        "    return s",
    ]


def test_numbers_are_wrapped_at_the_bounds_of_their_type() -> None:
    text = """#include <stdio.h>
    int add(int a, int b) { return a + b; }
    int up(int a) { return a < 0 ? 0 : a + 2147483647; }
    int down(int a) { return a > 0 ? 0 : a - 2147483647; }
    long times(long a, long b) { return a * b; }
    int main(void) {
        for (int i = -4; i < 4; i++) {
            for (int j = -2; j < 3; j++) {
                int a = i * 536870912 + j;
                printf("%d %d %d ", add(a, 1073741823), add(a, -1073741824), add(a, a));
                printf("%d %d %ld\\n", up(a), down(a), times(times(a, a), a));
            }
        }
        return 0;
    }"""
    do_the_same(program_of(text), [], "python")


def test_a_loop_is_counted_only_if_the_counter_is_dead_afterwards() -> None:
    loop = "int s = 0, i; for (i = 9; i > n; i--) { if (s > 20) continue; s += i; }"
    assert "for i in range(i, n, -1):" in python_of(f"int f(int n) {{ {loop} return s; }}", "f")
    needed = f"int f(int n) {{ {loop} return s * 100 + i; }}"
    assert " range(" not in python_of(needed, "f")
    for n in (3, 8, 12):
        do_the_same(program_of(needed), [str(n)], "python")
        do_the_same(program_of(f"int f(int n) {{ {loop} return s; }}"), [str(n)], "python")


def test_a_loop_is_counted_only_if_its_bound_does_not_change() -> None:
    text = "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (s % 3 == 0) n--; s += i; } return s; }"
    for n in (3, 20, 90):
        do_the_same(program_of(text), [str(n)], "python")


@pytest.mark.parametrize("type", ["unsigned char", "unsigned short", "unsigned", "unsigned long"])
@pytest.mark.parametrize("engine", COMPILERS)
def test_an_unsigned_result_is_not_negative(type: str, engine: EngineName) -> None:
    do_the_same(program_of(f"{type} f(int n) {{ return n; }}"), ["-1"], engine)


def test_a_conversion_to_the_same_type_wraps_its_operand() -> None:
    text = "f(a : unsigned, b : unsigned, ret : unsigned → ⊥) → ⊥ {\n  ret(unsigned(a + b))\n}\n"
    do_the_same(program_of(text), ["4294967295", "7"], "python")


def test_a_variable_that_an_assignment_adds_to_wraps() -> None:
    text = """f(a : T, n : int, ret : T → ⊥) → ⊥ {
      let
        loop := (s : T, i : int) → ⊥
          let
            body := () → ⊥
              loop(s + a, i + 1)
            done := () → ⊥
              ret(s)
          in
          branch(i < n, body, done)
      in
      loop(a, 0)
    }"""
    for type, number in (("signed char", "100"), ("short", "-30000"), ("unsigned char", "200"), ("int", "2000000000")):
        do_the_same(program_of(text.replace("T", type)), [number, "5"], "python")


def test_reducible_control_flow_needs_no_dispatch_block() -> None:
    text = """int f(int n) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if (i * j == 77) goto out;
                if (i + j == 50) goto next;
            }
            n--;
            next:;
        }
        n = 5;
        out: return n;
    }"""
    assert "selector" not in python_of(text, "f")
    for n in (3, 20, 90):
        do_the_same(program_of(text), [str(n)], "python")


def test_a_loop_with_two_entries_has_a_dispatch_block() -> None:
    text = """int f(int n) {
        int s = 0;
        if (n % 2) goto middle;
        top: s += n;
        middle: s ^= 5;
        if (--n > 0) goto top;
        return s;
    }"""
    assert python_of(text, "f").count("while True:") == 1
    for n in (6, 7):
        do_the_same(program_of(text), [str(n)], "python")


# ----------------------------------------------------------------------------------------------------- large and deep


def in_main(statements: str, before: str = "") -> str:
    return f"{before} int main(void) {{ int n = 5, fuel = 500; {statements} return n & 63; }}"


LARGE = {
    "calls in a row": in_main("n = f(n);" * 1_000, "int f(int n) { return n + 1; }"),
    "ifs within ifs": in_main("if (n > 1) { n++;" * 300 + "n--; }" * 300),
    "else after else": in_main("if (n == 9) n = 1; else " * 300 + "n = 7;"),
    "loops within loops": in_main(
        "".join(f"for (int i{i} = 0; i{i} < {2 - (i > 6)}; i{i}++) " for i in range(30)) + "n++;"
    ),
    "a switch": in_main(
        "for (int i = 0; i < 500; i++) switch (i * 3) {"
        + "".join(f"case {i * 5}: n += {i}; {'break;' if i % 3 else ''}" for i in range(400))
        + "}"
    ),
    "a mesh": in_main(
        "".join(f"l{i}: n = n * {i % 7 + 1} + {i}; if (n % 3 && fuel-- > 0) goto l{i * 7 % 100};" for i in range(100))
    ),
}


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_large_functions_fit_into_python(text: str) -> None:
    do_the_same(program_of(text), [], "python")


DEPTH = 100_000 if is_full() else 25_000

RECURSION = f"int f(int n) {{ return n == 0 ? 0 : 1 + f(n - 1); }} int main(void) {{ return f({DEPTH}) & 127; }}"


@pytest.mark.parametrize("engine", COMPILERS)
def test_recursion_may_be_deep(engine: EngineName) -> None:
    do_the_same(program_of(RECURSION), [], engine)


def test_a_self_tail_call_becomes_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "_depth", lambda: -19_900)  # the loop takes no stack
    text = (
        "int f(int n, int s) { if (n == 0) return s; return f(n - 1, s ^ n); } int main(void) { return f(20000, 1); }"
    )
    assert seen(program_of(text), [], "python", limits=Limits(20_001)) == seen(program_of(text), [], "machine")


WITH_SELF_TAIL_CALLS = {
    "no other join": "int f(int n, int s) { if (n == 0) return s; return f(n - 1, s ^ n); }",
    "calls in loops": "int f(int n, int s) { while (s > 3) { if (n == 0) return s; for (int i = 0; i < n; i++) {"
    " if ((s ^ i) % 7 == 1) return f(n - 1, s + i); if (i == 9) switch (s & 3) { case 0: return f(n - 1, s - 1);"
    " case 1: break; default: s += 2; } } n--; s--; } return n > 0 ? f(n - 1, s + 9) : s; }",
}


@pytest.mark.parametrize("function", WITH_SELF_TAIL_CALLS.values(), ids=WITH_SELF_TAIL_CALLS)
def test_a_self_tail_call_becomes_a_loop_around_the_dispatch_block(
    function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cpsconv.engines.python._is_shallow", lambda body: False)
    text = f"{function} int main(void) {{ return f(40, 100); }}"
    assert "in calls():" in python_of(text)
    do_the_same(program_of(text), [], "python")


# ---------------------------------------------------------------------------------------------------- which engine runs

HIGHER_ORDER = """main(ret : int → ⊥) → ⊥ {
  let
    k := (x : int) → ⊥
      ret(x)
  in
  apply(k, 3, ret)
}
apply(k : int → ⊥, x : int, ret : int → ⊥) → ⊥ {
  k(x)
}
"""


def test_a_program_with_continuations_as_values_runs_on_the_machine() -> None:
    program = program_of(HIGHER_ORDER)
    assert engine_for(program) == engine_for(program, "python") == "machine"
    assert engine_for(program_of(RECURSION)) == "python"


@pytest.mark.parametrize("value", ["g(7, λ(c : int). switch(c, _ ⇒ exit))", "switch(1 / zero, _ ⇒ exit)"])
@pytest.mark.parametrize("engine", COMPILERS)
def test_the_value_of_a_switch_without_cases_is_computed(engine: EngineName, value: str) -> None:
    program = program_of(
        f"""
        g(x : int, ret : int → ⊥) → ⊥ {{ printf("%d", x); ret(x) }}
        main(zero : int, ret : int → ⊥) → ⊥ {{
          let
            then := () → ⊥ {value}
            exit := () → ⊥ ret(0)
          in
          branch(zero == 0, then, exit)
        }}"""
    )
    assert seen(program, [0], engine) == seen(program, [0], "machine")


@pytest.mark.parametrize("name", ENGINES)
def test_each_engine_runs_an_accepted_program(name: EngineName, capsys: pytest.CaptureFixture[str]) -> None:
    row = ENGINES[name]
    assert row.name == name and row.description and row.accepts(program_of("int main(void) { return 3; }"))
    if name != "llvm" or HAS_NATIVE:
        assert main(["run", "examples/fig8.c", "0", "--engine", name]) == 0
        assert capsys.readouterr().out == "23\n"


@native
def test_a_program_that_llvm_ir_cannot_express_is_reported() -> None:
    program = program_of(HIGHER_ORDER)
    with pytest.raises(DiagnosticError, match="is a continuation"):
        prepare(program, entry_of(program), "llvm")


@native
def test_streams_may_change_places(capfd: pytest.CaptureFixture[str]) -> None:
    text = 'main(ret : int → ⊥) → ⊥ {\n  puts("one");\n  eprint("other");\n  ret(0)\n}\n'
    program = program_of(text)
    with open(1, "wb", closefd=False) as first, open(2, "wb", closefd=False) as second:
        prepare(program, entry_of(program), "llvm")([], output=second, errors=first)
    assert capfd.readouterr() == ("other", "one\n")


@native
def test_a_format_that_does_not_fit_is_reported() -> None:
    program = program_of('main(ret : int → ⊥) → ⊥ {\n  printf("%s", 1);\n  ret(0)\n}\n')
    with pytest.raises(DiagnosticError, match="format does not match"):
        prepare(program, entry_of(program), "llvm")


def test_without_llvmlite_an_error_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    assert main(["run", "examples/gcd.c", "--engine", "llvm"]) == 1
    assert "requires the package llvmlite" in capsys.readouterr().err


@native
def test_native_code_of_the_library_is_compiled_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Programs with short texts are compiled each time; a program with other numbers alone is another one."""
    from cpsconv.engines import llvm

    def counted(*given: Any) -> bytes:
        sizes.append(len(str(given[1])))
        return compile(*given)

    sizes, compile = list[int](), llvm._code
    monkeypatch.setattr(llvm, "_code", counted)
    body = 'static int again; printf("%g\\n", NUMBER * strtod("1", NULL)); return ++again;'
    whole = f"#include <stdio.h>\n#include <stdlib.h>\nint main(void) {{ {body} }}"
    texts = [whole.replace("NUMBER", each) for each in ("2.5", "10.25")]
    shown = {text: seen(program_of(text), [], "machine") for text in texts}  # reads the library from the cache
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for text in texts * 2:
        assert seen(program_of(text), [], "llvm") == shown[text]
    assert len(sizes) == 2 and min(sizes) > llvm.KEPT_TEXT
    for _ in range(2):
        assert seen(program_of("int main(void) { int a[2] = {1, 2}; return *a; }"), [], "llvm")[2].startswith(
            "Returned"
        )
    assert len(sizes) == 4


def test_steps_require_the_machine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "examples/gcd.c", "--engine", "python", "--trace"]) == 2
    assert "--trace requires --engine machine" in capsys.readouterr().err
    assert main(["run", "examples/gcd.c", "--engine", "machine", "--max-steps", "3"]) == 3


@pytest.mark.parametrize("engine", ["machine", "python"])
def test_the_command_line_prints_the_time_of_each_phase(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "examples/fig8.c", "0", "--engine", engine, "--time"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "23\n"
    words = [line.split() for line in shown.err.splitlines()]
    assert [(word[0], word[-1]) for word in words] == [
        ("convert", "s"),
        ("compile", "s"),
        ("run", "s"),
        ("engine", engine),
    ]


def test_a_runtime_error_is_reported_by_the_default_engine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "tests/corpus/division_by_zero.c"]) == 3
    assert "runtime error: division by zero" in capsys.readouterr().err


@pytest.fixture(scope="module")
def every_operation() -> tuple[Program, list[str]]:
    """A program with every exact operation on all types, and its output. (C has no narrow division that overflows.)"""

    def is_in_c(primitive: ir.Primitive) -> bool:
        type = primitive.type
        return PRIMITIVES[primitive.op].kind != "division" or not type.signed or type.bits >= 32

    types = [type for type in ir.SCALARS.values() if is_data(type) and type is not ir.LONG_DOUBLE]
    program = program_of_operations(types, is_in_c, Random(1), 12 if is_full() else 3)
    output, *_ = seen(program, (), "machine")
    assert output.count(b"\n") > 1500
    return program, output.decode().splitlines()


@pytest.mark.parametrize("engine", COMPILERS)
def test_every_operation_has_the_result_of_the_machine(
    every_operation: tuple[Program, list[str]], engine: EngineName
) -> None:
    program, expected = every_operation
    found = seen(program, (), engine)[0].decode().splitlines()
    assert [pair for pair in zip(expected, found, strict=True) if pair[0] != pair[1]] == []


@needs_gcc
def test_every_operation_has_the_result_of_the_machine_in_emitted_c(
    every_operation: tuple[Program, list[str]], tmp_path: Path
) -> None:
    program, expected = every_operation
    found = gcc.observe(gcc.compile_c(c(program), tmp_path)).output.splitlines()
    assert [pair for pair in zip(expected, found, strict=True) if pair[0] != pair[1]] == []
