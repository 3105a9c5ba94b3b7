"""`setjmp` and `longjmp`: the program, and the errors of wrong jumps (tests/c_library/setjmp.c has correct ones)."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from cpsconv import Source, convert, pretty
from cpsconv.core.source import DiagnosticError
from cpsconv.engines import EngineName
from cpsconv.engines.machine.machine import evaluate
from cpsconv.lab.page.data import program_data
from cpsconv.targets import TARGETS, Style
from testing.effort import sample
from testing.engines import ENGINES_HERE, alike
from testing.expectations import ROOT
from testing.functional_targets import HASKELL, LANGUAGES, OCAML, Language, each
from testing.running import observe, program_of
from tests.tables import table

PROGRAMS = table("jumps")
"""The longer programs of these tests."""

RETRY = "\n" + PROGRAMS["RETRY"]

RETRY_IN_CPS = "\n" + PROGRAMS["RETRY_IN_CPS"]


@pytest.mark.parametrize("optimise", [(), ("memory", "dead")])
def test_setjmp_saves_its_return_continuation_which_longjmp_enters(optimise: tuple[str, ...]) -> None:
    program = convert(Source("retry.c", RETRY), optimise=optimise)
    assert pretty(program).endswith(RETRY_IN_CPS)
    assert observe(program, ["5"]).output == "5\n"
    assert observe(program_of(pretty(program)), ["5"]).output == "5\n"


def test_variables_that_change_are_in_memory() -> None:
    program = convert(Source("retry.c", RETRY))
    [function] = program.functions
    [tries] = program.variables[function].in_memory
    assert (tries.name, tries.reason) == ("tries", "it is assigned in a function that calls `setjmp`")


_UNSET = "the buffer of `longjmp` was not set by `setjmp`"
_ENDED = "the call of the function that called `setjmp` for the buffer of `longjmp` has ended"

FAULTS = {
    "never set": ("", "longjmp(env, 1);", _UNSET),
    "uninitialised": ("", "jmp_buf own; longjmp(own, 1);", "bytes 0 to 7 of `own` (1 element of __jmp_buf_tag"),
    "null": ("", "longjmp(*(jmp_buf *)0, 1);", "a null pointer is dereferenced"),
    "returned": ("int set(void) { return setjmp(env); }", "set(); longjmp(env, 1);", _ENDED),
    "left by a jump": (
        "jmp_buf other; void leave(void) { if (!setjmp(other)) longjmp(env, 1); }",
        "if (!setjmp(env)) leave(); longjmp(other, 1);",
        _ENDED,
    ),
    "buffer of another call": (
        "void again(int n) { if (n == 2) longjmp(env, 1); else if (n == 1) setjmp(env); }",
        "again(1); again(2);",
        _ENDED,
    ),
    "local of the function that jumps": (
        "int *p; void jump(void) { int x = 3; p = &x; longjmp(env, 1); }",
        "if (!setjmp(env)) jump(); return *p;",
        "the lifetime of `x` ended",
    ),
    "local of a block that is left": (
        "int *p;",
        "if (!setjmp(env)) { int x = 3; p = &x; longjmp(env, 1); } return *p;",
        "the lifetime of `x` ended",
    ),
    "value": ("", "int n; longjmp(env, n);", "`n` is used uninitialised"),
}
"""Wrong jumps: text before `main`, text in `main`, and a part of the message of the runtime error."""


def _program(name: str) -> str:
    outside, inside, _ = FAULTS[name]
    return f"#include <setjmp.h>\njmp_buf env;\n{outside}\nint main(void) {{\n{inside}\n}}\n"


@pytest.mark.parametrize("engine", [each for each in ENGINES_HERE if each.values != ("python",)])
def test_wrong_jumps_are_errors(engine: EngineName) -> None:
    programs = [convert(Source("test.c", _program(name))) for name in FAULTS]
    for (*_, end), (name, (*_, message)) in zip(alike(programs, [engine]), FAULTS.items(), strict=True):
        assert f" test.c:{3 if name == 'buffer of another call' else 5}:" in end and message in end


@each(LANGUAGES)
def test_targets_report_them_too(language: Language, tmp_path: Path) -> None:
    """By default, each language has every second fault."""
    faults = sample([*FAULTS], 2, LANGUAGES.index(language) % 2)
    programs = [convert(Source("test.c", _program(name))) for name in faults]
    alone = [(program, ()) for program in programs]  # OCaml finds no type for a program of all of them
    runs = language.run_programs(language.runs_of(programs) if language is HASKELL else alone, tmp_path)
    for ended, name in zip(runs, faults, strict=True):
        *_, message = FAULTS[name]
        assert ended.code == 3, name
        assert message in ended.errors or "uninitialised" in ended.errors, name


@each(sample([OCAML, HASKELL], 2))
def test_the_definition_of_memory_has_jumps(language: Language, tmp_path: Path) -> None:
    """By default in OCaml: the definition is a part of the program before a language is written."""
    program = convert(Source("setjmp.c", (ROOT / "tests" / "c_library" / "setjmp.c").read_text()))
    assert language.observe(program, tmp_path) == observe(program)


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_many_calls_in_one_loop_and_a_deep_recursion(engine: EngineName) -> None:
    text = """
#include <setjmp.h>
jmp_buf env;
int depth(int n) { if (n == 0) longjmp(env, 2); int inner = depth(n - 1); return inner + 1; }
int main(void) {
    volatile int count = 0;
    for (volatile int i = 0; i < 2000; i++)
        if (setjmp(env) == 0) longjmp(env, 1); else count++;
    if (setjmp(env) == 0) depth(2000);
    return count == 2000 ? 7 : 8;
}
"""
    assert observe(convert(Source("test.c", text)), engine=engine).status == 7


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_a_program_that_saves_a_continuation_but_does_not_jump(engine: EngineName) -> None:
    text = "#include <setjmp.h>\njmp_buf env;\nint main(void) { return setjmp(env) == 0 ? 5 : 6; }\n"
    assert observe(convert(Source("test.c", text)), engine=engine).status == 5


def test_a_jump_is_recorded_in_traces() -> None:
    taken = []
    program = convert(Source("retry.c", RETRY))
    evaluate(program, "retry", [1], output=BytesIO(), errors=BytesIO(), trace=lambda record: taken.append(record.to))
    assert [each.continuation for each in taken if each and each.function is None].count("longjmp") == 1


def test_explicit_memory_is_refused() -> None:
    with pytest.raises(DiagnosticError, match="the memory of a program with `longjmp` cannot be explicit"):
        convert(Source("retry.c", RETRY), explicit_memory="one")


def test_bril_has_no_jumps() -> None:
    with pytest.raises(DiagnosticError, match="not expressible"):
        TARGETS["bril"](convert(Source("retry.c", RETRY)), Style())


def test_setjmp_is_no_value() -> None:
    with pytest.raises(DiagnosticError, match="the library function `setjmp` as a value is not supported"):
        convert(Source("test.c", "#include <setjmp.h>\nvoid *f(void) { return (void *)setjmp; }\n"))
    text = "extern setjmp(env : ptr, ret : int → ⊥) → ⊥\nmain(ret : int → ⊥) → ⊥ {\n  ret(int(ptr(setjmp)))\n}\n"
    with pytest.raises(DiagnosticError, match="`setjmp` can only be called"):
        observe(program_of(text))


def test_a_continuation_is_entered_with_the_values_at_the_call() -> None:
    """A program in CPS: `i` is not in memory, so that each jump continues with the value at the call."""
    text = """
data env := long[25] {}
data n := int[1] { 0 }
data rounds := int[1] { 0 }
extern setjmp(env : ptr, ret : int → ⊥) → ⊥
main(ret : int → ⊥) → ⊥ {
  let
    loop := (i : int) → ⊥
      round := int[rounds];
      int[rounds] := round + 1;
      let
        set := () → ⊥
          setjmp(env, λ(r : int).
          next(i))
        next := (k : int) → ⊥
          let
            more := () → ⊥
              loop(k + 1)
            done := () → ⊥
              v := int[n];
              int[n] := v + 1;
              branch(v < 3, λ(). longjmp(env, 1), λ(). ret(round + i * 10 + v))
          in
          branch(k < 5, more, done)
      in
      branch(i == 2, set, λ(). next(i))
  in
  loop(0)
}
"""
    program = program_of(text)
    assert observe(program).status == 14 + 5 * 10 + 3
    assert observe(program_of(text.replace("i == 2", "i == 9"))).status == "error"


def test_the_page_shows_a_program_with_jumps_but_does_not_run_it() -> None:
    data = program_data(convert(Source("retry.c", RETRY)))
    assert data["refused"] == "the page cannot evaluate programs with `setjmp` and `longjmp`"
